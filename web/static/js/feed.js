// What comes from the server and what goes to it.

const RETRY_MS = 2000;

/**
 * Follows the event stream from event `after` on, and again whenever it breaks. The browser itself
 * says with Last-Event-ID where it stood; after a refusal (503) this does.
 */
export function follow(after, handlers) {
  let last = after;
  const stream = new EventSource(`/api/events?after=${last}`);
  stream.onopen = () => handlers.connected(true, "");
  stream.addEventListener("state", (message) => handlers.state(JSON.parse(message.data)));
  stream.addEventListener("picture", (message) => handlers.picture(JSON.parse(message.data)));
  stream.addEventListener("log", (message) => {
    last = Number(message.lastEventId);
    handlers.log(JSON.parse(message.data));
  });
  stream.addEventListener("closed", () => handlers.connected(false, "The session has ended."));
  stream.onerror = () => {
    handlers.connected(false, "The connection to the table is lost. Trying again.");
    if (stream.readyState === EventSource.CLOSED) {
      setTimeout(() => follow(last, handlers), RETRY_MS);
    }
  };
}

export async function getJson(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  return settled(response);
}

export async function post(path, wish) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wish),
  });
  return settled(response);
}

/** Posts a photograph. */
export async function postPicture(path, jpeg) {
  return settled(await fetch(path, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg }));
}

async function settled(response) {
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.message), { word: answer.error });
  return answer;
}
