/** The rows that say by themselves where they go on, each with what looks at it anew. @type {WeakMap<HTMLElement, () => void>} */
const watched = new WeakMap();

/**
 * Has a row that scrolls fade out at the ends where more of it is; again, once it holds something else.
 * @param {HTMLElement} node  it need not be on the page yet
 */
export function fadeEnds(node) {
    const known = watched.get(node);
    if (known) return requestAnimationFrame(known);
    const look = () => {
        const left = Math.abs(node.scrollLeft);
        const rest = node.scrollWidth - node.clientWidth - left;
        const more = [left > 1 && "before", rest > 1 && "after"].filter(Boolean).join(" ");
        if (more) node.dataset.more = more;
        else delete node.dataset.more;
    };
    watched.set(node, look);
    node.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(node);
}
