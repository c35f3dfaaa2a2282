import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface SchemaError {
  /** Inside the schema, or inside the value checked against it. */
  path: (string | number)[];
  message: string;
}

interface Check {
  schema: Record<string, unknown>;
  /** Absent: check the schema itself. */
  value?: { is: unknown };
}

/** A generous limit: on a busy machine, loading alone takes a while. */
const LIMIT_MS = 30_000;
const REST_MS = 10_000;
const MEMORY_MB = 128;

/**
 * Runs in its own thread: a repository may contain a schema whose pattern takes years or fills the memory, and the daemon must keep
 * running. As a string, so the same code runs from source and from the bundle.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { Ajv } = require(workerData.ajv);
const { Ajv2020 } = require(workerData.ajv2020);
const addFormats = require(workerData.formats);
const OPTIONS = { allErrors: true, strictTypes: false, strictTuples: false, strictRequired: false, logger: false };
function check({ schema, value }) {
  const isNew = typeof schema.$schema === 'string' && schema.$schema.includes('2020-12');
  const ajv = new (isNew ? Ajv2020 : Ajv)(OPTIONS);
  addFormats(ajv);
  try {
    if (!ajv.validateSchema(schema)) return ajv.errors.slice(0, 1).map(toError);
    const validate = ajv.compile(schema);
    return !value || validate(value.is) ? [] : validate.errors.slice(0, 100).map(toError);
  } catch (error) {
    return [{ path: [], message: String(error.message).replace(/^strict mode: /, '') }];
  }
}
function toError({ instancePath, message, params }) {
  const path = instancePath.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\\d+$/.test(part) ? Number(part) : part));
  if (params.additionalProperty !== undefined)
    return { path: [...path, params.additionalProperty], message: 'is not a known field' };
  return { path, message: params.allowedValues ? message + ': ' + params.allowedValues.map(String).join(', ') : message };
}
parentPort.on('message', (work) => parentPort.postMessage(check(work)));
`;

let thread: Worker | undefined;
let rest: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();

/** One check at a time. */
export function checkInThread(check: Check, { limitMs = LIMIT_MS } = {}): Promise<SchemaError[]> {
  const mine = last.then(() => ask(check, limitMs));
  last = mine;
  return mine;
}

async function ask(check: Check, limitMs: number): Promise<SchemaError[]> {
  clearTimeout(rest);
  thread ??= start();
  const worker = thread;
  worker.ref();
  const failed = (message: string) => {
    thread = undefined;
    void worker.terminate();
    return [{ path: [], message }];
  };
  return new Promise<SchemaError[]>((resolve) => {
    const limit = setTimeout(() => finish(failed(`it takes more than ${limitMs / 1000} s to check`)), limitMs);
    const onError = (error: Error) => finish(failed(`it can't be checked: ${error.message}`));
    const finish = (errors: SchemaError[]) => {
      clearTimeout(limit);
      worker.off('message', finish);
      worker.off('error', onError);
      worker.unref();
      rest = setTimeout(leave, REST_MS).unref();
      resolve(errors);
    };
    worker.on('message', finish);
    worker.on('error', onError);
    worker.postMessage(check);
  });
}

function start(): Worker {
  const require = createRequire(import.meta.url);
  const workerData = {
    ajv: require.resolve('ajv'),
    ajv2020: require.resolve('ajv/dist/2020'),
    formats: require.resolve('ajv-formats'),
  };
  return new Worker(PROGRAM, {
    eval: true,
    workerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 16 },
  });
}

function leave(): void {
  void thread?.terminate();
  thread = undefined;
}
