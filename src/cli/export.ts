import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { revealHidden } from '../contract/hidden-characters.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../contract/messages.ts';
import { exportSession } from '../contract/routes/messages.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { findSessionId } from './find-transcript.ts';
import { complain } from './output.ts';

interface ExportOptions extends DataDirOption {
  format: ExportFormat;
  out?: string;
  showSecrets?: boolean;
  json?: boolean;
}

export function addExport(program: Command): void {
  withJson(program.command('export <id>'))
    .description('export a session and its subagents, with keys, tokens and passwords masked')
    .addOption(new Option('--format <format>', 'output format').choices(EXPORT_FORMATS).default('md'))
    .option('--out <file>', 'write to this file (default: standard output)')
    .option('--show-secrets', "don't mask keys, tokens and passwords")
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl export 3f2a > session.md\n  gctl export 3f2a --format html --out session.html\n  gctl export 3f2a --json | jq ".messages | length"\n\n--json is short for --format json.',
    )
    .action(async (prefix: string, { dataDir, format, out, showSecrets, json }: ExportOptions) => {
      const api = await connect(dataDir);
      const id = await findSessionId(api, prefix);
      const pieces = await api.stream(exportSession, {
        params: { id },
        query: { format: json ? 'json' : format, secrets: showSecrets ? 'shown' : 'masked' },
        act: showSecrets ?? false,
      });
      if (out === undefined) return toStdout(pieces);
      await toFile(pieces, out);
      complain(`wrote ${out}`);
    });
}

async function toStdout(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  // a file gets the text as it is; in a terminal, an agent's text must not move the cursor
  const text = process.stdout.isTTY ? readable(pieces) : pieces;
  await pipeline(Readable.from(text), process.stdout, { end: false }).catch(failed);
}

async function* readable(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield revealHidden(decoder.decode(piece, { stream: true }));
}

/** Written to a temp file first: an export that fails halfway must not pass for a complete one. */
async function toFile(pieces: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600 }));
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    failed(error);
  }
}

function failed(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  // the reader closed the pipe; main.ts handles that for every command
  if (code === 'EPIPE') throw error;
  throw new CliError(`The export failed partway: ${message}`);
}
