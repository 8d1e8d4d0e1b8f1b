// The scope of a service worker (Service Workers, 4.1), which TypeScript declares as that of a worker of another kind.

declare var clients: Clients;
declare var registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;

interface PushSubscriptionChangeEvent extends ExtendableEvent {
    readonly newSubscription: PushSubscription | null;
    readonly oldSubscription: PushSubscription | null;
}

declare function addEventListener<Name extends keyof ServiceWorkerEvents>(
    type: Name, listener: (event: ServiceWorkerEvents[Name]) => void): void;

interface ServiceWorkerEvents {
    install: ExtendableEvent;
    activate: ExtendableEvent;
    fetch: FetchEvent;
    push: PushEvent;
    message: ExtendableMessageEvent;
    notificationclick: NotificationEvent;
    pushsubscriptionchange: PushSubscriptionChangeEvent;
}
