// What browsers have and the declarations of TypeScript 4.8 do not: each with the specification that says so.

interface Array<T> {
    /** ECMAScript 2023, 23.1.3 */
    toSorted(compare?: (a: T, b: T) => number): T[];
    toReversed(): T[];
    findLast(predicate: (value: T, index: number, array: T[]) => unknown): T | undefined;
    findLastIndex(predicate: (value: T, index: number, array: T[]) => unknown): number;
}

interface MapConstructor {
    /** ECMAScript 2024, 24.1.2.1 */
    groupBy<K, T>(items: Iterable<T>, key: (item: T, index: number) => K): Map<K, T[]>;
}

declare namespace Intl {
    /** ECMA-402, 8.3.2 */
    function supportedValuesOf(key: "timeZone"): string[];
}

interface AbortSignalConstructor {
    new (): AbortSignal;
    prototype: AbortSignal;
    /** DOM, 3.2 */
    any(signals: Iterable<AbortSignal>): AbortSignal;
    timeout(milliseconds: number): AbortSignal;
}

interface Navigator {
    /** HTML, 6.4.1 */
    readonly userActivation?: { readonly hasBeenActive: boolean; readonly isActive: boolean };
    /** Screen Wake Lock, 5 */
    readonly wakeLock?: { request(type: "screen"): Promise<WakeLockSentinel> };
    /** Web Bluetooth, 4 */
    readonly bluetooth?: Bluetooth;
    /** Web Serial, 3 */
    readonly serial?: { requestPort(options?: { filters?: object[] }): Promise<SerialPort> };
    /** Web MIDI, 5.1 */
    requestMIDIAccess?(options?: { sysex?: boolean; software?: boolean }): Promise<MIDIAccess>;
    /** Safari's own: whether the page was opened from the home screen. */
    readonly standalone?: boolean;
}

interface SerialPort extends EventTarget {
    readonly readable: ReadableStream<Uint8Array> | null;
    readonly writable: WritableStream<Uint8Array> | null;
    open(options: { baudRate: number }): Promise<void>;
    close(): Promise<void>;
}

interface WakeLockSentinel extends EventTarget {
    readonly released: boolean;
    release(): Promise<void>;
}

interface Bluetooth extends EventTarget {
    getAvailability(): Promise<boolean>;
    getDevices?(): Promise<BluetoothDevice[]>;
    requestDevice(options: { filters?: BluetoothLEScanFilter[]; optionalServices?: string[]; acceptAllDevices?: boolean }):
        Promise<BluetoothDevice>;
}

interface BluetoothLEScanFilter {
    name?: string;
    namePrefix?: string;
    services?: string[];
}

interface BluetoothDevice extends EventTarget {
    readonly id: string;
    readonly name?: string;
    readonly gatt: BluetoothRemoteGATTServer;
}

interface BluetoothRemoteGATTServer {
    readonly connected: boolean;
    connect(): Promise<BluetoothRemoteGATTServer>;
    disconnect(): void;
    getPrimaryService(service: string): Promise<BluetoothRemoteGATTService>;
}

interface BluetoothRemoteGATTService {
    getCharacteristic(characteristic: string): Promise<BluetoothRemoteGATTCharacteristic>;
}

interface BluetoothRemoteGATTCharacteristic extends EventTarget {
    readonly value?: DataView;
    readonly properties: { readonly write: boolean; readonly writeWithoutResponse: boolean; readonly notify: boolean };
    startNotifications(): Promise<BluetoothRemoteGATTCharacteristic>;
    stopNotifications(): Promise<BluetoothRemoteGATTCharacteristic>;
    writeValueWithResponse(value: BufferSource): Promise<void>;
    writeValueWithoutResponse(value: BufferSource): Promise<void>;
}

interface MIDIAccess extends EventTarget {
    readonly inputs: ReadonlyMap<string, MIDIInput>;
    readonly outputs: ReadonlyMap<string, MIDIPort>;
    onstatechange: ((event: Event) => void) | null;
}

interface MIDIPort extends EventTarget {
    readonly id: string;
    readonly name: string | null;
    readonly manufacturer: string | null;
    readonly state: "connected" | "disconnected";
    open(): Promise<MIDIPort>;
    close(): Promise<MIDIPort>;
    send?(bytes: Iterable<number>, at?: number): void;
}

interface MIDIInput extends MIDIPort {
    onmidimessage: ((event: MessageEvent & { data: Uint8Array }) => void) | null;
}

interface Window {
    readonly DeviceMotionEvent?: typeof DeviceMotionEvent & { requestPermission?(): Promise<"granted" | "denied"> };
    readonly Notification?: typeof Notification;
}

interface CredentialsContainer {
    /** Web Authentication Level 3, 5.1.4: `conditional` offers a passkey in a field. */
    get(options: Omit<CredentialRequestOptions, "mediation"> & { mediation?: CredentialMediationRequirement | "conditional" }): Promise<Credential | null>;
}

interface AuthenticatorAttestationResponse {
    /** Web Authentication Level 3, 5.2.1 */
    getTransports?(): string[];
}
