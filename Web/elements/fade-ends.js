const LITTLE = 24; // pixels up or down: so much is room above the first line and below the last

/** What says by itself where it goes on. @type {WeakSet<HTMLElement>} */
const watched = new WeakSet();

/**
 * Has what scrolls say in `data-more` on which sides more of it is, for the style sheets to fade it out there; also once it
 * holds something else.
 * @param {HTMLElement} node  it need not be on the page yet
 */
export function fadeEnds(node) {
    if (watched.has(node)) return;
    watched.add(node);
    const look = () => {
        const left = Math.abs(node.scrollLeft);
        const right = node.scrollWidth - node.clientWidth - left;
        const below = node.scrollHeight - node.clientHeight - node.scrollTop;
        const more = [left > 1 && "before", right > 1 && "after", node.scrollTop > LITTLE && "above", below > LITTLE && "below"]
            .filter(Boolean).join(" ");
        if (more) node.dataset.more = more;
        else delete node.dataset.more;
    };
    const sizes = new ResizeObserver(look);
    const watch = () => { for (const one of [node, ...node.children]) sizes.observe(one); };
    node.addEventListener("scroll", look, { passive: true });
    new MutationObserver(watch).observe(node, { childList: true });
    watch();
}
