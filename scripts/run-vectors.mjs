// Runs vector files through a companion's WebAssembly: node run-vectors.mjs MODULE.wasm FILE.txt ...
//
// In a file, a line `> input` is answered by the line `< expected` after it; `#` begins a comment, and \t, \n, \\ and
// \xNN stand for the bytes they name. A line `@ name argument ... = expected` calls an export itself, which is more than
// a native build can do: an argument `#hex` is put into the buffer and passed as its count, and where `#hex` is expected,
// it is the bytes of the answer. A name of `view.field` is a field of a view, `view[2].field` one of a row where it has several,
// and `view.length` their number. Exits 1 when any answer differs.
import fs from 'node:fs';

const [modulePath, ...files] = process.argv.slice(2);
const module = await WebAssembly.compile(fs.readFileSync(modulePath));
// Of each file its own: what one has loaded is not there for the next.
let engine;
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) throw new Error(`imports something: ${JSON.stringify(imports)}`);

function unescaped(text) {
  const bytes = [];
  const escaped = { t: 9, n: 10, '\\': 92 };
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== 92) {
      bytes.push(text[index]);
      continue;
    }
    const kind = String.fromCharCode(text[++index]);
    if (kind === 'x') {
      bytes.push(parseInt(String.fromCharCode(text[index + 1], text[index + 2]), 16));
      index += 2;
    } else {
      bytes.push(escaped[kind]);
    }
  }
  return Uint8Array.from(bytes);
}

function answer(bytes) {
  // `buffer` first: it may grow the memory, which detaches every view.
  const address = engine.buffer(bytes.length);
  new Uint8Array(engine.memory.buffer).set(bytes, address);
  const count = engine.vector(bytes.length);
  return Buffer.from(engine.memory.buffer, engine.answer(), count).toString('latin1');
}

function call(line) {
  const [left, expected] = line.split(' = ');
  const [name, ...words] = left.split(' ');
  const [, view, row = 0, field] = /^(\w+)(?:\[(\d+)\])?\.(\w+)$/.exec(name) ?? [];
  if (typeof engine[view ?? name] !== 'function') return [`no export ${view ?? name}`, expected];
  const values = words.map((word) => {
    if (!word.startsWith('#')) return Number(word);
    const bytes = Buffer.from(word.slice(1), 'hex');
    const address = engine.buffer(bytes.length);
    new Uint8Array(engine.memory.buffer).set(bytes, address);
    return bytes.length;
  });
  if (field) return [String(fieldOf(view, Number(row), field, values)), expected];
  const result = engine[name](...values);
  if (!expected?.startsWith('#')) return [String(result ?? 'nothing'), expected];
  return [`#${Buffer.from(engine.memory.buffer, engine.answer(), result).toString('hex')}`, expected];
}

function fieldOf(view, row, field, values) {
  const told = (isDescribing) => {
    const count = engine[view](isDescribing, ...values);
    return new Uint8Array(engine.memory.buffer, engine.answer(), count).slice();
  };
  const names = Buffer.from(told(1)).toString().trim().split(' ');
  const numbers = new Float64Array(told(0).buffer);
  if (field === 'length') return numbers.length / names.length;
  return names.includes(field) ? numbers[row * names.length + names.indexOf(field)] : `no field ${field}`;
}

function compare(file, number, actual, expected) {
  asked += 1;
  if (actual === expected) return;
  failed += 1;
  console.error(`${file}:${number + 1}: expected\n  ${expected}\nand got\n  ${actual}`);
}

let asked = 0;
let failed = 0;
for (const file of files) {
  engine = (await WebAssembly.instantiate(module, {})).exports;
  let input;
  // latin1 keeps the bytes apart, whatever they are.
  for (const [number, line] of fs.readFileSync(file, 'latin1').split('\n').entries()) {
    if (line.startsWith('> ')) {
      input = unescaped(Buffer.from(line.slice(2), 'latin1'));
    } else if (line.startsWith('< ') || line === '<') {
      const expected = Buffer.from(unescaped(Buffer.from(line.slice(2), 'latin1'))).toString('latin1');
      compare(file, number, answer(input), expected);
    } else if (line.startsWith('@ ')) {
      compare(file, number, ...call(line.slice(2)));
    }
  }
}
console.log(`${modulePath}: ${asked - failed} of ${asked} vectors agree`);
process.exit(failed > 0 || asked === 0 ? 1 : 0);
