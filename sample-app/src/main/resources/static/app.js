const $ = id => document.getElementById(id);

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const color = instance => `var(--i${(Number(instance.slice(1)) % 6 + 2) % 6})`;
const dot = instance => el("span", {class: "dot", style: `background:${color(instance)}`, title: instance});
const json = async path => (await fetch(path)).json();
const sum = numbers => numbers.reduce((a, b) => a + b, 0);

let ttl = {};

function verdict(id, text, good) {
  $(id).textContent = text;
  $(id).className = "verdict" + (good === undefined ? "" : good ? " good" : " bad");
}

function showInstances({here, alive}) {
  document.title = `${here.name} – Leasehold sample`;
  $("whoami").replaceChildren(dot(here.name), `This is ${here.name}. To kill it: kill -9 ${here.pid}`);
  const link = i => el("a", {href: i.url, ...(i.name === here.name ? {"aria-current": "page"} : {})}, dot(i.name), i.name);
  $("instances").replaceChildren(...alive.map(link));
  $("others").replaceChildren(...alive.filter(i => i.name !== here.name).map(i => el("a", {href: i.url}, i.url)));
  $("alone").hidden = alive.length > 1;
}

function showBilling({month, charged, chargedTwice, accounts}) {
  $("accounts").replaceChildren(...accounts.map(({user, charges}) =>
    el("li", charges.length > 1 ? {class: "twice"} : {}, user, el("span", {}, ...charges.map(c => dot(c.instance))))));
  if (month.number === 0) return verdict("billing-verdict", "No user is due yet.");
  const text = `Month ${month.number}: ${charged} of ${accounts.length} charged, ${chargedTwice} twice or more.`;
  verdict("billing-verdict", text, charged < accounts.length && chargedTwice === 0 ? undefined : chargedTwice === 0);
}

function showStock(report) {
  if (!report) return verdict("stock-verdict", "Nothing was sold yet.");
  const sold = Object.entries(report.soldBy).flatMap(([instance, count]) => Array(count).fill(instance));
  const places = Math.max(report.rush.stock, sold.length);
  $("shelf").replaceChildren(...Array.from({length: places}, (_, i) => el("i", {
    class: i >= report.rush.stock ? "over" : "",
    style: sold[i] ? `background:${color(sold[i])}` : "",
    title: sold[i] ?? "left",
  })));
  const by = Object.entries(report.soldBy).map(([instance, count]) => `${count} by ${instance}`).join(", ");
  verdict("stock-verdict", report.oversold > 0
    ? `${report.sold} sold of ${report.rush.stock}: ${report.oversold} too many!`
    : `${report.sold} sold of ${report.rush.stock} (${by}).`, report.oversold === 0);
}

function showDeployments(deployments) {
  $("deployments").replaceChildren(...deployments.slice(0, 4).map(d => {
    const done = sum(d.turns.map(turn => turn.steps));
    const last = d.turns.at(-1);
    const state = d.finished ? "done" : last ? `step ${done} of ${d.steps}` : "waiting for the lock";
    const bar = el("div", {class: "bar"}, ...d.turns.map(turn => el("i", {
      style: `width:${100 * turn.steps / d.steps}%;background:${color(turn.instance)}`,
      title: `${turn.instance}, token ${turn.fencingToken}, ${turn.steps} steps`,
    })));
    const details = last ? `${last.instance} · token ${last.fencingToken} · renewed ${d.renewals}×`
      + (d.finished ? "" : ` · ${(d.remainingMillis / 1000).toFixed(1)} s left`) : "";
    return el("li", {}, el("div", {class: "title"}, el("b", {}, `${d.service} #${d.id}`), state), bar, el("small", {}, details));
  }));
}

const WHOSE = {
  HOLDER: lock => lock.here ? "this instance" : "another instance",
  RELEASED: () => "released, kept for its minimum hold time",
  REVOKED: () => "taken from its holder",
  FOREIGN: () => "a client without this library",
};

function lockRow(locker, lock, alive) {
  // The default name of a process ends with its id. The thread follows.
  const process = lock.holder?.split(", thread ")[0];
  const instance = alive.find(i => process?.endsWith(`:${i.pid}`));
  const left = (lock.remainingMillis ?? 0) / 1000;
  ttl[locker] = Math.max(ttl[locker] ?? 0, left);
  const lease = el("span", {class: "lease"}, el("i", {style: `width:${100 * left / (ttl[locker] || 1)}%`}));
  const {key, fencingToken} = lock;
  // A lock without a token in the store has the token 0.
  const end = lock.kind === "FOREIGN" || lock.kind === "REVOKED" ? "" : el("button", {
    class: "unlocked",
    "data-end": `holders/${encodeURIComponent(locker)}?${new URLSearchParams({key, fencingToken: fencingToken ?? 0})}`,
    "data-name": `${locker}:${key}`,
  }, "End");
  return el("tr", {},
    el("td", {}, locker),
    el("td", {}, key),
    el("td", {}, instance ? dot(instance.name) : "", lock.holder ?? "", el("small", {}, ` ${WHOSE[lock.kind](lock)}`)),
    el("td", {}, lock.since ? new Date(lock.since).toLocaleTimeString() : "unknown"),
    el("td", {}, lease, lock.remainingMillis === null ? "never expires" : `${left.toFixed(1)} s`),
    el("td", {}, fencingToken ?? ""),
    el("td", {}, String(lock.waiting ?? "")),
    el("td", {}, end));
}

function showHolders(lockers, {alive}) {
  if ($("holders").querySelector("button:active")) return;  // a click ends on the button on which it began
  const focused = document.activeElement?.dataset.end;
  const note = ({locker, incomplete}) => el("tr", {}, el("td", {}, locker), el("td", {colspan: 7, class: "none"}, incomplete));
  const rows = lockers.flatMap(view => [
    ...view.locks.map(lock => lockRow(view.locker, lock, alive)),
    ...(view.incomplete ? [note(view)] : []),
  ]);
  $("holders").replaceChildren(...(rows.length ? rows
    : [el("tr", {}, el("td", {colspan: 8, class: "none"}, "none at this moment"))]));
  [...$("holders").querySelectorAll("button")].find(button => button.dataset.end === focused)?.focus();
}

async function endHold(button) {
  const {done, sentence} = await (await fetch(button.dataset.end, {method: "DELETE"})).json();
  verdict("end-verdict", `${button.dataset.name}: ${sentence}.`, done);
}

const METERS = {
  lock_acquire_seconds_count: {by: "outcome", rate: true},
  lock_renew_total: {by: "outcome", rate: true},
  lock_lost_total: {by: "locker", rate: true},
  lock_held: {by: "locker"},
  lock_waiting: {by: "locker"},
  lock_remaining_seconds: {by: "locker"},
};
const history = {};

function showMeters(text) {
  const totals = {};
  for (const [, name, tags, value] of text.matchAll(/^(lock_\w+)\{(.*)\} (\S+)$/gm)) {
    if (!METERS[name] || Number.isNaN(Number(value))) continue;
    const tag = new RegExp(`${METERS[name].by}="([^"]*)"`).exec(tags)?.[1] ?? "";
    (totals[name] ??= {})[tag] = (totals[name][tag] ?? 0) + Number(value);
  }
  $("meters").replaceChildren(...Object.entries(METERS).map(([name, {rate}]) => {
    const values = Object.entries(totals[name] ?? {}).filter(([tag, value]) => tag !== "default" || value);
    const line = (history[name] ??= []);
    line.push(sum(values.map(([, value]) => value)));
    if (line.length > 61) line.shift();
    const points = rate ? line.slice(1).map((value, i) => Math.max(0, value - line[i])) : line;
    const top = Math.max(1, ...points);
    const path = points.map((value, i) => `${i ? "L" : "M"}${60 - points.length + i + 1} ${31 - 28 * value / top}`).join("");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 60 34");
    svg.setAttribute("preserveAspectRatio", "none");
    const curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
    curve.setAttribute("d", path);
    svg.append(curve);
    const list = el("dl", {}, ...values.flatMap(([tag, value]) =>
      [el("dt", {}, tag), el("dd", {}, Number.isInteger(value) ? String(value) : value.toFixed(1))]));
    return el("div", {class: "meter"}, el("h3", {}, name), list, svg);
  }));
}

async function refresh() {
  try {
    const [instances, billing, stock, deployments, holders, meters] = await Promise.all([
      json("instances"), json("billing"), json("stock/rushes/latest"), json("deployments"), json("holders"),
      fetch("actuator/prometheus").then(response => response.text()),
    ]);
    showInstances(instances);
    showBilling(billing);
    showStock(stock);
    showDeployments(deployments);
    showHolders(holders, instances);
    showMeters(meters);
    $("gone").hidden = true;
  } catch (error) {
    $("gone").hidden = false;
    console.warn(error);
  } finally {
    setTimeout(refresh, 1000);
  }
}

document.addEventListener("click", async ({target}) => {
  const {post, end} = target.dataset ?? {};
  if (!post && !end) return;
  target.disabled = true;
  try {
    await (end ? endHold(target) : fetch(post, {method: "POST"}));
  } finally {
    target.disabled = false;
  }
});

refresh();
