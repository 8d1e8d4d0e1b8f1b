/**
 * The element in a part of the page that has the focus; null where it is elsewhere.
 * @param {Element} node
 */
export function focusedIn(node) {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && node.contains(focused) ? focused : null;
}
