// Requests to the server. Every failure becomes an Error whose message is the server's line.

async function request(method, path, content) {
  const options = { method, credentials: "same-origin" };
  if (content !== undefined) {
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(content);
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("no answer from the server: is towers serve still running?");
  }
  if (answer.status === 204) return null;
  const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
  const answered = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) {
    const error = new Error(isJson ? answered.error : answered);
    error.status = answer.status;
    throw error;
  }
  return answered;
}

export const get = (path) => request("GET", path);
export const post = (path, content) => request("POST", path, content);
export const remove = (path) => request("DELETE", path);
