// SPDX-License-Identifier: Apache-2.0

export type Delivery = "at-least-once" | "at-most-once";

export type State = "connecting" | "open" | "waiting" | "closed";

/** A message of the application: of a topic, with `topic` and `at`, or to this session, with `seq`. */
export interface Message {
  readonly type?: string;
  readonly topic?: string;
  readonly at?: string;
  readonly seq?: number;
  readonly [property: string]: unknown;
}

/** Messages of the topic are missing here: reload its state. */
export interface Gap {
  readonly type: "gap";
  readonly topic: string;
  readonly at?: string;
}

/** The session is new: reload all state. Messages that waited to be handled were discarded. */
export interface NewSession {
  readonly id: string;
  /** Seconds. */
  readonly window?: number;
  /** The reason why an earlier session was not resumed. */
  readonly rejected?: "expired" | "invalid";
}

export interface Resumed {
  readonly id: string;
  /** Seconds. */
  readonly window: number;
  /** By the topics' names; if `false`, a gap follows. */
  readonly recovered: Readonly<Record<string, boolean>>;
  /** Whether all messages to this session that were not received follow. */
  readonly direct: boolean;
}

export interface StateChange {
  readonly state: State;
  /** The code of the close, if any; for `waiting` and `closed`. */
  readonly code?: number;
  readonly reason?: string;
  /** Milliseconds until the next attempt; for `waiting`. */
  readonly delay?: number;
}

export interface Events {
  message: Message;
  gap: Gap;
  session: NewSession;
  resumed: Resumed;
  state: StateChange;
  error: unknown;
}

/** If a listener returns a promise, the next message or gap waits for it. */
export type Listener<T> = (event: T) => unknown;

export interface Options {
  /** Whether the position of a message is stored after its listeners, the default, or before. */
  delivery?: Delivery;
  /** Storage of the token, the positions and waiting direct messages, `sessionStorage` by default; `null` for none. */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;
  /** The name in the storage, derived from the URL by default; unique among the clients of a page. */
  key?: string;
  on?: { [K in keyof Events]?: Listener<Events[K]> };
  protocols?: string | string[];
  /** Maximum time in milliseconds until a connection has opened or resumed the session; 15,000 by default. */
  timeout?: number;
  /** A class with the constructor, properties and methods of a browser's WebSocket. */
  WebSocket?: new (url: string, protocols?: string | string[]) => any;
  /** Returns a number from 0 to below 1; for tests. */
  random?: () => number;
  /** Returns the time in milliseconds; for tests. */
  now?: () => number;
  setTimeout?: (action: () => void, delay: number) => unknown;
  clearTimeout?: (timer: any) => void;
  /** Source of the events `online`, `pageshow` and, from its `document`, `visibilitychange` and `resume`; the page by default. */
  page?: unknown;
}

/**
 * Connects, and reconnects after each loss of the connection until the session has ended.
 *
 * @param url absolute, or relative to the page; `http` and `https` become `ws` and `wss`
 */
export function connect(url: string | URL, options?: Options): SluiceClient;

export class SluiceClient {
  constructor(url: string | URL, options?: Options);

  readonly state: State;

  /** The id of the session's connection, which changes with each resume; `undefined` before the first. */
  readonly id: string | undefined;

  /** Adds a listener, and returns a function that removes it. */
  on<K extends keyof Events>(type: K, listener: Listener<Events[K]>): () => void;

  /**
   * Sends a message.
   *
   * @returns whether a session was open to send it to; the message may still be lost with the connection
   * @throws TypeError if the message is not an object, or has a type of the protocol
   */
  send(message: object): boolean;

  /** Replaces the connection immediately, for example if an answer does not arrive. */
  reconnect(): void;

  /** Ends the session, if connected; otherwise the session ends with the server's window. */
  close(): void;
}
