// SPDX-License-Identifier: Apache-2.0

export type Delivery = "at-least-once" | "at-most-once";

export type State = "connecting" | "open" | "waiting" | "closed";

/** A message of the application: with `topic` and `at` one of a topic, with `seq` one to this session. */
export interface Message {
  readonly type?: string;
  readonly topic?: string;
  readonly at?: string;
  readonly seq?: number;
  readonly [property: string]: unknown;
}

/** Messages of the topic are missing here: load its state anew. */
export interface Gap {
  readonly type: "gap";
  readonly topic: string;
  readonly at?: string;
}

/** The session is new: load all state anew. What waited to be handled was dropped. */
export interface NewSession {
  readonly id: string;
  /** Seconds. */
  readonly window?: number;
  /** Why an earlier session has not been resumed. */
  readonly rejected?: "expired" | "invalid";
}

export interface Resumed {
  readonly id: string;
  /** Seconds. */
  readonly window: number;
  /** By the topics' names; where it is `false`, a gap follows. */
  readonly recovered: Readonly<Record<string, boolean>>;
  /** Whether all messages to this session follow that have not been received. */
  readonly direct: boolean;
}

export interface StateChange {
  readonly state: State;
  /** The code of the close, where there was one; of `waiting` and `closed`. */
  readonly code?: number;
  readonly reason?: string;
  /** Milliseconds until the next try; of `waiting`. */
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

/** One that returns a promise is waited for before the next message or gap. */
export type Listener<T> = (event: T) => unknown;

export interface Options {
  /** Whether the position of a message is stored after its listeners, the default, or before. */
  delivery?: Delivery;
  /** Where token, positions and direct messages that wait are kept, `sessionStorage` by default; `null` for nowhere. */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;
  /** The name in the storage, by default of the URL; each client of a page needs its own. */
  key?: string;
  on?: { [K in keyof Events]?: Listener<Events[K]> };
  protocols?: string | string[];
  /** Milliseconds for a connection until the session is opened or resumed; 15,000 by default. */
  timeout?: number;
  /** A class with the constructor, properties and methods of a browser's WebSocket. */
  WebSocket?: new (url: string, protocols?: string | string[]) => any;
  /** Of a number from 0 to below 1, for tests. */
  random?: () => number;
  /** Milliseconds, for tests. */
  now?: () => number;
  setTimeout?: (action: () => void, delay: number) => unknown;
  clearTimeout?: (timer: any) => void;
  /** What tells of `online`, `pageshow` and, by its `document`, of `visibilitychange` and `resume`; the page by default. */
  page?: unknown;
}

/**
 * Connects, and comes back after each loss of the connection until the session has ended.
 *
 * @param url absolute, or relative to the page; `http` and `https` become `ws` and `wss`
 */
export function connect(url: string | URL, options?: Options): SluiceClient;

export class SluiceClient {
  constructor(url: string | URL, options?: Options);

  readonly state: State;

  /** The id of the session's connection, another one after each resume; `undefined` before the first. */
  readonly id: string | undefined;

  /** Adds a listener, and returns what removes it. */
  on<K extends keyof Events>(type: K, listener: Listener<Events[K]>): () => void;

  /**
   * Sends a message.
   *
   * @returns whether there was a session to send it to; it may be lost with the connection all the same
   * @throws TypeError if it is no object, or has a type of the protocol
   */
  send(message: object): boolean;

  /** Replaces the connection at once, for example where an answer does not come. */
  reconnect(): void;

  /** Ends the session, if there is a connection; without one, the server's window ends it. */
  close(): void;
}
