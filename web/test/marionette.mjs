// Firefox of the machine, driven by Marionette, its own protocol over a socket: as much of playwright's page as tests here use.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pause = (ms) => new Promise((later) => setTimeout(later, ms));
const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Messages are "LENGTH:JSON": [0, id, name, parameters] and [1, id, error, result]. */
class Line {
  constructor(socket) {
    this.socket = socket;
    this.open = new Map();
    this.count = 0;
    this.bytes = Buffer.alloc(0);
    socket.on("data", (bytes) => this.take(bytes));
    socket.on("close", () => { for (const { reject } of this.open.values()) reject(new Error("Firefox has closed")); });
  }
  take(bytes) {
    this.bytes = Buffer.concat([this.bytes, bytes]);
    for (;;) {
      const colon = this.bytes.indexOf(58), size = Number(this.bytes.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || this.bytes.length < colon + 1 + size) return;
      const message = JSON.parse(this.bytes.subarray(colon + 1, colon + 1 + size).toString());
      this.bytes = this.bytes.subarray(colon + 1 + size);
      if (!Array.isArray(message)) continue; // its greeting
      const [, id, error, result] = message, asked = this.open.get(id);
      this.open.delete(id);
      if (error) asked?.reject(new Error(`${error.error}: ${error.message}`));
      else asked?.resolve(result);
    }
  }
  ask(name, parameters = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.count, text = JSON.stringify([0, id, name, parameters]);
      this.open.set(id, { resolve, reject });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }
}

async function reach(port, process) {
  for (let i = 0; i < 600 && process.exitCode === null; i++) {
    const socket = await new Promise((resolve) => {
      const one = connect(port, "127.0.0.1", () => resolve(one));
      one.on("error", () => resolve(null));
    });
    if (socket) return socket;
    await pause(100);
  }
  throw new Error("Firefox does not answer");
}

/** Firefox keeps a context suspended where there is no sound card: a server that plays into nothing, where there is one. */
function silentServer(folder, env) {
  const words = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disallow-exit", "--high-priority=no", "--realtime=no",
    "-L", "module-null-sink", "-L", `module-native-protocol-unix auth-anonymous=1 socket=${join(folder, "sound.socket")}`];
  const server = spawn("pulseaudio", words, { stdio: "ignore", env });
  server.on("error", () => {});
  return server;
}

/** A fresh Firefox: { page, close }. */
export async function openFirefox(program = process.env.FIREFOX ?? "firefox-esr") {
  const profile = mkdtempSync(join(tmpdir(), "sistrum-firefox-")), port = await freePort();
  const prefs = { "marionette.port": port, "media.autoplay.default": 0, "media.volume_scale": "0.0", "datareporting.policy.dataSubmissionEnabled": false,
    "browser.shell.checkDefaultBrowser": false, "app.update.enabled": false, "browser.startup.page": 0 };
  writeFileSync(join(profile, "user.js"), Object.entries(prefs).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
  const env = { ...process.env, HOME: profile, XDG_RUNTIME_DIR: profile, PULSE_SERVER: `unix:${join(profile, "sound.socket")}` };
  const sound = silentServer(profile, env);
  await pause(500);
  const firefox = spawn(program, ["--headless", "--no-remote", "--marionette", "--profile", profile, "--width", "1280", "--height", "860"], { stdio: "ignore", env });
  firefox.on("error", () => {});
  const line = new Line(await reach(port, firefox));
  await line.ask("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  const close = async () => {
    await line.ask("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    for (let i = 0; i < 50 && firefox.exitCode === null; i++) await pause(100);
    firefox.kill("SIGKILL");
    sound.kill("SIGTERM");
    await pause(200);
    rmSync(profile, { recursive: true, force: true });
  };
  return { page: pageOf(line), close };
}

function pageOf(line) {
  const evaluate = async (f, argument = null) => {
    const script = `const done = arguments[arguments.length - 1], globalThis = window; // not that of Marionette
      Promise.resolve().then(() => (${f})(arguments[0])).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value } = await line.ask("WebDriver:ExecuteAsyncScript", { script, args: [argument], sandbox: null, scriptTimeout: 120000 });
    if (value?.error) throw new Error(value.error);
    return value?.value;
  };
  const waitForFunction = async (f, argument = null, { timeout = 60000 } = {}) => {
    for (const end = Date.now() + timeout; Date.now() < end; await pause(50)) if (await evaluate(`(x) => !!(${f})(x)`, argument)) return;
    throw new Error(`it did not come to be: ${f}`);
  };
  const point = (actions) => line.ask("WebDriver:PerformActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  const keys = (actions) => line.ask("WebDriver:PerformActions", { actions: [{ type: "key", id: "keys", actions }] });
  const move = (x, y) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), origin: "viewport", duration: 30 });
  const down = { type: "pointerDown", button: 0 }, up = { type: "pointerUp", button: 0 };
  return {
    evaluate, waitForFunction,
    goto: (url) => line.ask("WebDriver:Navigate", { url }),
    mouse: { move: (x, y) => point([move(x, y)]), down: () => point([down]), up: () => point([up]) },
    keyboard: { down: (key) => keys([{ type: "keyDown", value: key }]), up: (key) => keys([{ type: "keyUp", value: key }]) },
    locator: (selector) => ({
      boundingBox: () => evaluate((one) => {
        const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
        return { x, y, width, height };
      }, selector),
    }),
    textContent: (selector) => evaluate((one) => document.querySelector(one).textContent, selector),
    async click(selector) {
      const { x, y } = await evaluate((one) => {
        const element = document.querySelector(one);
        element.scrollIntoView({ block: "nearest" });
        const box = element.getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      }, selector);
      await point([move(x, y), down, up]);
    },
    screenshot: async () => Buffer.from((await line.ask("WebDriver:TakeScreenshot", { full: false })).value, "base64"),
  };
}
