// Checks a game in the page: follows the hash chain, throws every die again from the seed, and compares what the page
// shows with what the journal says.  Written from the description of the protocol alone; it shares nothing with the server.
"use strict";

const Hash = (() => {
  const bytes = text => new TextEncoder().encode(text);
  const hex = data => Array.from(new Uint8Array(data), b => b.toString(16).padStart(2, "0")).join("");
  const unhex = text => Uint8Array.from(text.match(/../g) || [], pair => parseInt(pair, 16));

  // SHA-256 and HMAC for pages whose browser keeps WebCrypto from them (FIPS 180-4, RFC 2104)
  const primes = n => { const found = []; for (let c = 2; found.length < n; c++) if (found.every(p => c % p)) found.push(c); return found; };
  const part = x => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
  const K = primes(64).map(p => part(Math.cbrt(p)));
  const H = primes(8).map(p => part(Math.sqrt(p)));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));

  function plainSha(data) {
    const size = (data.length + 72) >> 6 << 6;
    const padded = new Uint8Array(size);
    padded.set(data);
    padded[data.length] = 0x80;
    const view = new DataView(padded.buffer), w = new Int32Array(64), h = H.slice();
    view.setUint32(size - 8, Math.floor(data.length / 2 ** 29));
    view.setUint32(size - 4, data.length << 3);
    for (let at = 0; at < size; at += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)) | 0;
      }
      let [a, b, c, d, e, f, g, q] = h;
      for (let i = 0; i < 64; i++) {
        const one = q + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + K[i] + w[i] | 0;
        const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
        q = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
      }
      [a, b, c, d, e, f, g, q].forEach((x, i) => { h[i] = h[i] + x | 0; });
    }
    const out = new DataView(new ArrayBuffer(32));
    h.forEach((x, i) => out.setInt32(4 * i, x));
    return new Uint8Array(out.buffer);
  }

  function plainMac(key, data) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? plainSha(key) : key);
    const join = (a, b) => { const all = new Uint8Array(a.length + b.length); all.set(a); all.set(b, a.length); return all; };
    return plainSha(join(block.map(b => b ^ 0x5c), plainSha(join(block.map(b => b ^ 0x36), data))));
  }

  const subtle = !/[?&]plain\b/.test(location.search) && window.crypto && crypto.subtle;
  const keys = new Map();
  async function mac(seed, data) {
    if (!subtle) return plainMac(unhex(seed), data);
    if (!keys.has(seed)) keys.set(seed, await subtle.importKey("raw", unhex(seed), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]));
    return new Uint8Array(await subtle.sign("HMAC", keys.get(seed), data));
  }
  const sha = async data => subtle ? new Uint8Array(await subtle.digest("SHA-256", data)) : plainSha(data);
  return {bytes, hex, unhex, mac, sha, by: subtle ? "the browser's WebCrypto" : "this page's own SHA-256", text: async t => hex(await sha(bytes(t)))};
})();

class Wrong extends Error {}

function canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const order = (a, b) => { const x = [...a], y = [...b]; for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0); return x.length - y.length; };
  return "{" + Object.keys(value).sort(order).map(k => JSON.stringify(k) + ":" + canonical(value[k])).join(",") + "}";
}

class Verifier {
  constructor(game) {
    this.game = game;
    Object.assign(this, {prev: "0".repeat(64), step: 0, attempt: 1, epoch: 0, next: 0, rolls: 0, dice: 0, hidden: 0});
    this.whole = game.rows.every(r => r.payload !== undefined);
  }

  get opened() { return this.game.seeds[this.epoch]; }

  async begin() { this.seed = this.opened; this.binding = await Hash.text(canonical("no orders yet")); }

  async row(row, number) {
    const game = this.game, j = JSON.stringify;
    if (row.seq !== number) throw new Wrong(`row ${number} is missing (row ${row.seq} stands in its place)`);
    if (row.prev !== this.prev) throw new Wrong(`row ${number} does not follow row ${number - 1}`);
    this.prev = row.hash;
    if (row.payload === undefined) { this.hidden++; return; }
    const text = `[${j(game.game)},${row.seq},${row.step},${j(row.kind)},${row.payload},${j(row.source)},${j(row.at)},${j(row.prev)}]`;
    if (await Hash.text(text) !== row.hash) throw new Wrong(`row ${number} (${row.kind}) was changed: its hash does not fit its content`);
    const payload = JSON.parse(row.payload);
    const why = await this.content(row, payload);
    if (why) throw new Wrong(`row ${number}: ${why}`);
  }

  async content(row, p) {
    const place = row.kind === "orders" ? this.binding : row.seq;
    if (row.kind === "orders") {
      const {cancel, ...kept} = p;
      const plain = {...kept, directives: p.directives.map(d => { const {source, ...rest} = d; return rest; })};
      this.binding = await Hash.text(canonical([this.binding, "orders", plain]));
    } else if (row.kind === "control" && p.act === "deadline") {
      this.binding = await Hash.text(canonical([this.binding, "deadline", p.side]));
    }
    const check = {game: this.commits, step: this.begins, roll: this.roll, control: this.control, event: this.event}[row.kind];
    const why = check && await check.call(this, row, p);
    return why || await this.salted(row, p, place);
  }

  async salted(row, p, place) {
    const secret = ["orders", "answer", "skip"].includes(row.kind) || row.kind === "event" && p.open === false || row.kind === "roll" && p.secret;
    if (!secret || !this.seed || !this.whole && row.kind === "orders") return "";
    const salt = Hash.hex(await Hash.mac(this.seed, Hash.bytes(canonical(["salt", this.game.game, place])))).slice(0, 32);
    return p.salt === salt ? "" : "its salt is not the one the seed gives";
  }

  async commits(row, p) {
    if (row.kind === "game" && row.seq) return "a second game begins";
    return this.seed && Hash.hex(await Hash.sha(Hash.unhex(this.seed))) !== p.commitment ? `it commits to another seed than the one opened: ${p.commitment}` : "";
  }

  begins(row, p) {
    if (row.step !== this.step + 1) return `step ${row.step} begins after step ${this.step}`;
    this.step = row.step;
    this.next = 0;
    return p.attempt === this.attempt ? "" : `it is attempt ${p.attempt}, but the game has been taken back ${this.attempt - 1} times`;
  }

  async control(row, p) {
    if (p.act === "nonce") {
      this.seed = this.seed && Hash.hex(await Hash.mac(this.seed, Hash.bytes(canonical(["nonce", p.side, p.nonce]))));
      return this.commits(row, {commitment: p.mixed});
    }
    if (p.act === "restore" && (p.row !== row.seq - 1 || p.head !== row.prev)) return "it does not name the row that it follows as the last of the copy";
    if (p.act === "rewind" || p.act === "restore") this.attempt++;
    if (p.act !== "rewind" || !("commitment" in p)) return "";
    this.epoch++;
    this.seed = this.opened;
    return this.commits(row, p);
  }

  event(row, p) {
    const e = p.event, repeats = this.whole && e.faces !== undefined;
    return repeats && canonical([e.faces, e.mods, e.target]) !== this.last ? "it repeats other dice, modifiers or another target than the roll before it" : "";
  }

  async roll(row, p) {
    this.rolls++;
    this.last = canonical([p.faces, p.mods, p.target]);
    if (p.n < this.next || this.whole && p.n !== this.next) return `its dice are numbered from ${p.n}, but ${this.next} have fallen before in this step`;
    this.next = p.n + p.faces.length;
    if (p.faces.length !== p.count) return `${p.count} dice were to be rolled, ${p.faces.length} are shown`;
    if (row.step !== this.step || p.attempt !== this.attempt) return `it is of step ${row.step}, attempt ${p.attempt}; the game is in step ${this.step}, attempt ${this.attempt}`;
    if (this.whole && p.binding !== this.binding) return "its dice are not bound to the orders before them";
    for (let i = 0; this.seed && i < p.faces.length; i++) {
      const due = await this.die([this.game.game, row.step, this.attempt, p.n + i, p.sides, p.binding], p.sides);
      this.dice++;
      if (due !== p.faces[i]) return `a die for ${p.purpose} shows ${p.faces[i]}, the seed gives ${due}`;
    }
    return "";
  }

  async die(place, sides) {
    const all = 1n << 64n, n = BigInt(sides), limit = all - all % n;
    let block = await Hash.mac(this.seed, Hash.bytes(canonical(place)));
    for (;;) {
      for (let i = 0; i < 32; i += 8) {
        const word = BigInt("0x" + Hash.hex(block.slice(i, i + 8)));
        if (word < limit) return Number(word % n) + 1;
      }
      block = await Hash.mac(this.seed, block);
    }
  }

  end() {
    const game = this.game, last = game.rows.length - 1;
    if (game.rows.length !== game.count || this.prev !== game.head) throw new Wrong(`row ${last} is the last one here, but the page says row ${game.count - 1}, or another hash`);
    if (game.over && !this.whole) throw new Wrong("rows are withheld, though the game is over");
    if (game.over && !this.seed) throw new Wrong("the game is over, but the seed that row 0 commits to is not here");
  }
}
