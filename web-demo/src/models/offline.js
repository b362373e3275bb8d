// SPDX-License-Identifier: MIT
// The offline switch: while it is on, this page or worker sends no request to another server. Owns
// the state of this program, and what stands before the platform's ways to send. Must not know: who
// sends, how the switch is shown.

/** What is refused while the offline switch is on. */
export class OfflineError extends Error {
  /** @param {string} what was asked for */
  constructor(what) {
    super(`The offline switch is on: no request is sent to ${what}.`);
    this.name = "OfflineError";
    this.code = "OFFLINE_SWITCH";
  }
}

let isOn = false;
/** Ends what is under way when the switch is turned on. */
let under = new AbortController();

/** @param {unknown} value */
export function setOffline(value) {
  isOn = value === true;
  if (!isOn) return;
  under.abort(new OfflineError("any other server"));
  under = new AbortController();
}

/** Whether the switch is on. */
export const isOffline = () => isOn;

/** @param {unknown} error @returns {OfflineError | undefined} it, or what caused it */
export function offlineErrorIn(error) {
  for (let at = /** @type {any} */ (error), depth = 0; at && depth < 8; at = at.cause, depth++)
    if (at instanceof OfflineError) return at;
  return undefined;
}

/** Ways to open a connection by making an object. */
const OPENERS = ["WebSocket", "WebTransport", "EventSource"];

/** Puts the switch before all by which a script of this page or worker can send. */
export function guardNetwork() {
  const own = /** @type {any} */ (globalThis);
  const { fetch } = own;
  own.fetch = async (/** @type {any} */ input, /** @type {any} */ init) => {
    if (otherHost(input) === undefined) return fetch(input, init);
    refuse(input);
    const given = init?.signal ?? input?.signal;
    const signals = given ? [given, under.signal] : [under.signal];
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };
  for (const name of OPENERS)
    if (own[name] !== undefined)
      own[name] = new Proxy(own[name], {
        construct(of, args) {
          refuse(args[0]);
          return Reflect.construct(of, args);
        },
      });
  guardMethod(own.XMLHttpRequest, "open", ([, url]) => [url]);
  guardMethod(own.Navigator, "sendBeacon", ([url]) => [url]);
  // Models in the tab are downloaded straight into the cache.
  guardMethod(own.Cache, "add", ([request]) => [request]);
  guardMethod(own.Cache, "addAll", ([requests]) => [...requests]);
}

/**
 * @param {any} type none: this browser or kind of program has it not
 * @param {string} name
 * @param {(args: any[]) => unknown[]} targets what a call would ask
 */
function guardMethod(type, name, targets) {
  const method = type?.prototype[name];
  if (method === undefined) return;
  type.prototype[name] = function (/** @type {any[]} */ ...args) {
    for (const target of targets(args)) refuse(target);
    return method.apply(this, args);
  };
}

/** @param {any} target an address or a request @throws OfflineError */
function refuse(target) {
  const host = otherHost(target);
  if (isOn && host !== undefined) throw new OfflineError(host);
}

/** @param {any} target @returns {string | undefined} undefined: this page's own server, or none */
function otherHost(target) {
  const address = String(target?.url ?? target);
  if (!URL.canParse(address, location.href)) return undefined;
  const { protocol, origin, host } = new URL(address, location.href);
  return /^(blob|data):$/.test(protocol) || origin === location.origin ? undefined : host;
}
