import { link, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NativeTools, openNativeTools } from '../../../test/kit/native-tools.ts';

let native: NativeTools;
beforeEach(async () => {
  native = await openNativeTools();
});
afterEach(() => native.close());

const file = (name: string) => join(native.folder, name);
const put = (name: string, text: string | Buffer) => writeFile(file(name), text);
const text = (name: string) => readFile(file(name), 'utf8');
const read = (name: string, more: object = {}) => native.call('Read', { file_path: name, ...more });
const edit = (name: string, old_string: string, new_string: string, more: object = {}) =>
  native.call('Edit', { file_path: name, old_string, new_string, ...more });

describe('Read', () => {
  it('numbers lines, reads ranges, and says how to continue', async () => {
    await put('a.txt', Array.from({ length: 10 }, (_, at) => `line ${at + 1}`).join('\n'));
    expect((await read('a.txt', { offset: 3, limit: 2 })).text).toBe(
      '3\tline 3\n4\tline 4\n[6 more lines: continue with offset 5]',
    );
  });

  it('refuses folders, missing files, pipes and other encodings', async () => {
    await put('latin1.txt', Buffer.from([0x66, 0xfc, 0x72]));
    await native.call('Bash', { command: 'mkfifo pipe' });
    expect((await read('.')).text).toContain('is a directory');
    expect((await read('nothing')).text).toContain('no file');
    expect((await read('pipe')).text).toContain('not a regular file');
    expect((await read('latin1.txt')).text).toContain('not UTF-8');
  });

  it('returns images, notebooks and the text of a PDF', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await put('dot.png', png);
    const huge = Buffer.from(png);
    huge.writeUInt32BE(90_000, 16);
    huge.writeUInt32BE(90_000, 20);
    await put('huge.png', huge);
    const broken = Buffer.from(png);
    broken.writeUInt32BE(3000, 16);
    await put('broken.png', broken);
    await put('large.png', plainPng(3000, 1000));
    await put('not.png', 'no image');
    await put(
      'book.ipynb',
      JSON.stringify({ cells: [{ cell_type: 'code', source: ['print(1)\n'], outputs: [{ text: ['1\n'] }] }] }),
    );
    await put('doc.pdf', samplePdf('Hello from page one'));
    expect((await read('dot.png')).content).toMatchObject([{ type: 'image', source: { media_type: 'image/png' } }]);
    expect((await read('huge.png')).text).toContain('too large to scale down here');
    expect((await read('broken.png')).text).toContain('could not be scaled down');
    const [note, large] = (await read('large.png')).content as { text?: string; source?: { data: string } }[];
    expect(note?.text).toBe('Scaled down from 3000×1000 to 2000×667 pixels.');
    expect(Buffer.from(large?.source?.data ?? '', 'base64').readUInt32BE(16)).toBe(2000);
    expect((await read('not.png')).isError).toBe(true);
    expect((await read('book.ipynb')).text).toBe('[cell 1, code]\nprint(1)\n\n[output]\n1\n');
    expect((await read('doc.pdf')).text).toContain('[page 1 of 1]\nHello from page one');
  });
});

describe('Edit', () => {
  it('needs the file to have been read, and one exact match', async () => {
    await put('a.txt', 'x = 1\nx = 1\n');
    expect((await edit('a.txt', 'x = 1', 'x = 2')).text).toContain('before you change it');
    await read('a.txt');
    expect((await edit('a.txt', 'x = 1', 'x = 2')).text).toContain('appears 2 times');
    expect((await edit('a.txt', 'y', 'z')).text).toContain('not found');
    expect((await edit('a.txt', 'x = 1', 'x = 2', { replace_all: true })).isError).toBe(false);
    expect(await text('a.txt')).toBe('x = 2\nx = 2\n');
  });

  it('inserts $& and $1 literally', async () => {
    await put('a.js', 'cost\n');
    await read('a.js');
    await edit('a.js', 'cost', "$& $1 $$ $' $`");
    expect(await text('a.js')).toBe("$& $1 $$ $' $`\n");
  });

  it("keeps a file's line endings and byte order mark", async () => {
    await put('w.txt', '\uFEFFone\r\ntwo\r\nthree\n');
    await read('w.txt');
    expect((await edit('w.txt', 'one\ntwo', 'ONE\nTWO\nMORE')).isError).toBe(false);
    expect(await text('w.txt')).toBe('\uFEFFONE\r\nTWO\r\nMORE\r\nthree\n');
  });

  it('reports a conflict with the current text, and continues if the edit still fits', async () => {
    await put('a.txt', 'one\ntwo\n');
    await read('a.txt');
    await put('a.txt', 'one\nTWO\n');
    const conflict = await edit('a.txt', 'two', 'three');
    expect(conflict).toMatchObject({ isError: true, text: expect.stringContaining('changed since you read it') });
    expect(conflict.text).toContain('TWO');
    await put('a.txt', 'one\nTWO\nmore\n');
    expect((await edit('a.txt', 'TWO', 'three')).text).toContain('the edit still fit');
    expect(await text('a.txt')).toBe('one\nthree\nmore\n');
  });

  it('writes through links, keeps the mode, and keeps hard links together', async () => {
    await put('real.sh', 'echo a\n');
    await native.call('Bash', { command: 'chmod 755 real.sh' });
    await symlink('real.sh', file('soft.sh'));
    await read('soft.sh');
    await edit('soft.sh', 'a', 'b');
    expect((await lstat(file('soft.sh'))).isSymbolicLink()).toBe(true);
    expect((await stat(file('real.sh'))).mode & 0o777).toBe(0o755);
    await link(file('real.sh'), file('hard.sh'));
    await read('real.sh');
    await edit('real.sh', 'b', 'c longer');
    expect(await text('hard.sh')).toBe('echo c longer\n');
  });

  it('applies all edits of a MultiEdit or none', async () => {
    await put('a.txt', 'one two');
    await read('a.txt');
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: 'missing', new_string: '2' },
    ];
    expect((await native.call('MultiEdit', { file_path: 'a.txt', edits })).isError).toBe(true);
    expect(await text('a.txt')).toBe('one two');
    edits[1]!.old_string = 'two';
    expect((await native.call('MultiEdit', { file_path: 'a.txt', edits })).isError).toBe(false);
    expect(await text('a.txt')).toBe('1 2');
  });

  it('shows a diff before it changes anything', async () => {
    await put('a.txt', 'one\n');
    const tool = native.tools.find(({ name }) => name === 'Edit')!;
    const preview = await tool.preview?.({ file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    expect(preview).toContain('-one\n+two');
    expect(await text('a.txt')).toBe('one\n');
  });
});

describe('Write', () => {
  it("creates folders, replaces what was read, and refuses what wasn't read or has changed", async () => {
    const write = (content: string) => native.call('Write', { file_path: 'deep/er/a.txt', content });
    expect((await write('one')).text).toContain('Created');
    expect((await write('two')).text).toContain('Replaced');
    await put('deep/er/a.txt', 'somebody else');
    expect((await write('three')).text).toContain('changed since you read it');
    await put('other.txt', 'x');
    expect((await native.call('Write', { file_path: 'other.txt', content: 'y' })).text).toContain('Read it before');
    expect(await text('deep/er/a.txt')).toBe('somebody else');
  });
});

describe('Glob and Grep', () => {
  it('finds files and lines with the bundled ripgrep, and takes no option from a pattern', async () => {
    await mkdir(file('src'));
    await put('src/a.ts', 'const needle = 1;\n');
    await put('src/b.js', 'needle\n');
    await put('-v', 'needle --files\n');
    expect((await native.call('Glob', { pattern: '**/*.ts' })).text).toBe('src/a.ts');
    expect((await native.call('Grep', { pattern: 'needle', glob: '*.ts', output_mode: 'content' })).text).toBe(
      'src/a.ts:1:const needle = 1;',
    );
    expect((await native.call('Grep', { pattern: '--files', output_mode: 'content' })).text).toContain(
      'needle --files',
    );
    expect((await native.call('Grep', { pattern: 'nothing here' })).text).toBe('No matches.');
    expect((await native.call('Grep', { pattern: '(' })).isError).toBe(true);
  });
});

it('resolves paths from the project folder even after cd, because permission is judged from there', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'gc-elsewhere-'));
  await writeFile(join(elsewhere, 'note.txt'), 'SECRET needle\n');
  await put('note.txt', 'mine\n');
  const moved = await native.call('Bash', { command: `cd ${elsewhere}` });
  expect(moved.text).toContain(`paths in other tools start at ${native.folder}`);
  expect((await read('note.txt')).text).toBe('1\tmine');
  expect((await native.call('Grep', { pattern: 'needle' })).text).toBe('No matches.');
  expect((await native.call('Glob', { pattern: '*.txt' })).text).toBe('note.txt');
  expect((await edit('note.txt', 'mine', 'changed')).isError).toBe(false);
  expect(await readFile(join(elsewhere, 'note.txt'), 'utf8')).toBe('SECRET needle\n');
  await rm(elsewhere, { recursive: true });
});

/** The smallest PDF with one line of text. */
function samplePdf(line: string): Buffer {
  const content = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${body}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

/** A gray PNG: signature, header, one deflated block, end. */
function plainPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Node 20 has no CRC function of its own. */
function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
