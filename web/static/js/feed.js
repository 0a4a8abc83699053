// What comes from the server and what goes to it.

const RETRY_MS = 2000;
/** The server says something every ten seconds at least; a stream that is silent for longer is dead. */
const SILENT_MS = 25000;
const LOOK_MS = 5000;
const WISH_MS = 25000;
const PHOTO_MS = 90000;
const LOST = "The connection to the table is lost. Trying again.";

/**
 * Follows the event stream from event `after` on, and again whenever it breaks. The browser itself
 * says with Last-Event-ID where it stood; after a refusal (503) this does.
 */
export function follow(after, handlers) {
  let last = after;
  let heardAt = performance.now();
  const stream = new EventSource(`/api/events?after=${last}`);
  const on = (kind, handle) => stream.addEventListener(kind, (message) => {
    heardAt = performance.now();
    handle(message);
  });
  stream.onopen = () => {
    heardAt = performance.now();
    handlers.connected(true, "");
  };
  on("state", (message) => handlers.state(JSON.parse(message.data)));
  on("picture", (message) => handlers.picture(JSON.parse(message.data)));
  on("log", (message) => {
    last = Number(message.lastEventId);
    handlers.log(JSON.parse(message.data));
  });
  on("here", () => {});
  on("closed", () => handlers.connected(false, "The session has ended."));
  stream.onerror = async () => {
    if (stream.readyState !== EventSource.CLOSED) {
      handlers.connected(false, LOST);
      return;
    }
    stop();
    handlers.connected(false, await whyRefused());
    setTimeout(() => follow(last, handlers), RETRY_MS);
  };
  // A network that went away without a word leaves the stream open, and the page would show the table of then.
  const watch = setInterval(() => {
    if (performance.now() - heardAt > SILENT_MS) anew();
  }, LOOK_MS);
  window.addEventListener("offline", anew, { once: true });

  function anew() {
    handlers.connected(false, LOST);
    stop();
    follow(last, handlers);
  }

  function stop() {
    clearInterval(watch);
    window.removeEventListener("offline", anew);
    stream.onerror = null;
    stream.close();
  }
}

/** Why the server takes no more streams, which a browser does not tell. */
async function whyRefused() {
  const asking = new AbortController();
  const patience = setTimeout(() => asking.abort(), LOOK_MS);
  try {
    const response = await fetch("/api/events", { signal: asking.signal });
    return response.ok ? LOST : `${asSentence((await response.json()).message)} Trying again.`;
  } catch {
    return LOST;
  } finally {
    clearTimeout(patience);
    asking.abort();
  }
}

// A page that the browser kept while another one was looked at shows the table of then.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

export async function getJson(path) {
  return asked(path, { headers: { Accept: "application/json" } }, WISH_MS);
}

export async function post(path, wish) {
  return asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) }, WISH_MS);
}

/** Posts a photograph. */
export async function postPicture(path, jpeg) {
  return asked(path, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg }, PHOTO_MS);
}

/** What the server answers; an `Error` in words for people where it refuses, or cannot be reached. */
async function asked(path, request, patience_ms) {
  let response = null;
  let answer = null;
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.timeout(patience_ms) });
    answer = await response.json();
  } catch {
    throw new Error("Meldwatch did not answer. Check that this device is on the network, and try again.");
  }
  if (!response.ok) throw Object.assign(new Error(asSentence(answer.message)), { word: answer.error });
  return answer;
}

/** Why something was refused, as a page says it: the server's words begin small and end open, for programs. */
export function asSentence(words) {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!:]$/.test(words) ? "" : "."}`;
}
