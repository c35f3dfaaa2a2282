import {
  assistant,
  compact,
  image,
  note,
  pass,
  type Spending,
  someText,
  toolResult,
  userPrompt,
  type Writer,
} from './lines.ts';

const TOOLS = ['Read', 'Read', 'Read', 'Bash', 'Bash', 'Edit', 'Edit', 'Grep', 'Write', 'TodoWrite'] as const;

/** One prompt and everything that follows from it, line by line. */
export function* turn(writer: Writer, model: string): Generator<string> {
  const { random, style } = writer;
  if (random.chance(style.compacts)) yield* compact(writer);
  for (let n = style.notes; n > 0; n--) if (random.chance(n)) yield note(writer);
  yield userPrompt(writer, someText(writer, 180, 4000));
  const steps = random.integer(2, style.steps);
  let context = random.integer(12_000, 60_000);
  for (let step = 0; step < steps; step++) {
    pass(writer, random.integer(1500, 20_000));
    const isLast = step === steps - 1;
    const tool = random.pick(TOOLS);
    const toolUseId = `toolu_01${random.hex(22)}`;
    const blocks: unknown[] = [];
    if (random.chance(style.thinking)) {
      blocks.push({ type: 'thinking', thinking: someText(writer, 500, 8000), signature: random.hex(400) });
    }
    if (isLast || random.chance(0.5)) blocks.push({ type: 'text', text: someText(writer, isLast ? 900 : 200, 8000) });
    const call = { type: 'tool_use', id: toolUseId, name: tool, input: toolInput(writer, tool) };
    if (!isLast) blocks.push(call);
    yield* streamed(writer, { model, blocks, context, stop: isLast ? 'end_turn' : 'tool_use' });
    if (isLast) break;
    pass(writer, random.integer(30, 4000));
    const { content, result } = toolOutput(writer, tool, call.input);
    const picture = random.chance(style.images) ? image(writer) : undefined;
    yield toolResult(writer, toolUseId, picture ? [picture] : content, picture ?? result);
    context += Math.round(content.length / 4) + 300;
  }
  pass(writer, random.integer(20_000, 900_000));
}

/** One API message: a line per block, the first of them with the usage so far. */
function* streamed(
  writer: Writer,
  message: { model: string; blocks: unknown[]; context: number; stop: string },
): Generator<string> {
  const { random } = writer;
  const id = `msg_01${random.hex(22)}`;
  const requestId = `req_011C${random.hex(20)}`;
  const usage = spend(writer, message.context);
  for (const [place, block] of message.blocks.entries()) {
    const isFinal = place === message.blocks.length - 1;
    yield assistant(writer, {
      id,
      requestId,
      model: message.model,
      block,
      stop: isFinal ? message.stop : null,
      usage: isFinal ? usage : { ...usage, output_tokens: Math.min(usage.output_tokens, random.integer(1, 9)) },
    });
    pass(writer, random.integer(5, 800));
  }
}

function spend({ random }: Writer, context: number): Spending {
  const written = random.integer(200, 6000);
  const isHour = random.chance(0.2);
  return {
    input_tokens: random.integer(2, 12),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: context,
    cache_creation: {
      ephemeral_5m_input_tokens: isHour ? 0 : written,
      ephemeral_1h_input_tokens: isHour ? written : 0,
    },
    output_tokens: random.integer(20, 1800),
    service_tier: 'standard',
  };
}

function toolInput(writer: Writer, tool: string): Record<string, unknown> {
  const { random } = writer;
  const file_path = `${writer.cwd}/src/${random.pick(['core', 'http', 'ui', 'model', 'index'])}/part-${random.integer(1, 60)}.ts`;
  if (tool === 'Bash') return { command: someText(writer, 90, 1200), description: someText(writer, 30, 80) };
  if (tool === 'Grep') return { pattern: someText(writer, 14, 40), path: writer.cwd };
  if (tool === 'Edit')
    return { file_path, old_string: someText(writer, 300, 6000), new_string: someText(writer, 350, 6000) };
  if (tool === 'Write') return { file_path, content: someText(writer, 2500, 30_000) };
  if (tool === 'TodoWrite') {
    const todos = Array.from({ length: random.integer(2, 7) }, () => ({
      content: someText(writer, 40, 90),
      status: random.pick(['pending', 'in_progress', 'completed']),
      activeForm: someText(writer, 40, 90),
    }));
    return { todos };
  }
  return { file_path };
}

/** The result for the model and the copy that the client keeps, which are mostly the same text. */
function toolOutput(
  writer: Writer,
  tool: string,
  input: Record<string, unknown>,
): { content: string; result: Record<string, unknown> } {
  const { random, style } = writer;
  const most = 60_000 * style.results;
  if (tool === 'Read') {
    const text = someText(writer, 4500 * style.results, most);
    const content = text
      .split('\n')
      .map((row, index) => `${index + 1}\t${row}`)
      .join('\n');
    return { content, result: { type: 'text', file: { filePath: input.file_path, content: text, numLines: 200 } } };
  }
  if (tool === 'Edit' || tool === 'Write') {
    const lines = Array.from(
      { length: random.integer(3, 30) },
      () => `${random.pick([' ', '+', '-'])}${someText(writer, 40, 120)}`,
    );
    const structuredPatch = [{ oldStart: 1, oldLines: 9, newStart: 1, newLines: 12, lines }];
    return {
      content: `The file ${input.file_path} has been updated successfully.`,
      result: {
        filePath: input.file_path,
        originalFile: someText(writer, 3000 * style.results, most),
        structuredPatch,
        userModified: false,
      },
    };
  }
  if (tool === 'TodoWrite') {
    return { content: 'Todos have been modified successfully.', result: { oldTodos: [], newTodos: input.todos } };
  }
  const stdout = someText(writer, 1300 * style.results, most);
  return { content: stdout, result: { stdout, stderr: '', interrupted: false, isImage: false } };
}
