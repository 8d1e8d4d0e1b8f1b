/** An `EventTarget` whose events are known by name, each with the type of its `detail`. */
interface TypedEventTarget<Details> {
    addEventListener<Name extends keyof Details>(
        type: Name, listener: (event: CustomEvent<Details[Name]>) => void,
        options?: boolean | AddEventListenerOptions): void;
    removeEventListener<Name extends keyof Details>(
        type: Name, listener: (event: CustomEvent<Details[Name]>) => void, options?: boolean | EventListenerOptions): void;
    dispatchEvent(event: Event): boolean;
}

/** How a class is declared to have such events: `class Live extends (EventTarget)`, cast to this. */
type Events<Details> = new () => TypedEventTarget<Details>;

/** The events of the live connection: what the hub says, by its type, and that the connection itself changed. */
type LiveEvents = { [Message in Contract.LiveMessage as Message["type"]]: Message } & {
    state: { was: string; state: string; failures: number };
};
