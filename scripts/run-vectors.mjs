// Runs vector files through a companion's WebAssembly: node run-vectors.mjs MODULE.wasm FILE.txt ...
//
// In a file, a line `> input` is answered by the line `< expected` after it; `#` begins a comment, and \t, \n, \\ and
// \xNN stand for the bytes they name. Exits 1 when any answer differs.
import fs from 'node:fs';

const [modulePath, ...files] = process.argv.slice(2);
const { instance, module } = await WebAssembly.instantiate(fs.readFileSync(modulePath), {});
const engine = instance.exports;
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

let asked = 0;
let failed = 0;
for (const file of files) {
  engine.beginVectors();
  let input;
  // latin1 keeps the bytes apart, whatever they are.
  for (const [number, line] of fs.readFileSync(file, 'latin1').split('\n').entries()) {
    if (line.startsWith('> ')) {
      input = unescaped(Buffer.from(line.slice(2), 'latin1'));
    } else if (line.startsWith('< ') || line === '<') {
      const expected = Buffer.from(unescaped(Buffer.from(line.slice(2), 'latin1'))).toString('latin1');
      const actual = answer(input);
      asked += 1;
      if (actual !== expected) {
        failed += 1;
        console.error(`${file}:${number + 1}: expected\n  ${expected}\nand got\n  ${actual}`);
      }
    }
  }
}
console.log(`${modulePath}: ${asked - failed} of ${asked} vectors agree`);
process.exit(failed > 0 || asked === 0 ? 1 : 0);
