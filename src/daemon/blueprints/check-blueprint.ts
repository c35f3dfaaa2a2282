import { z } from 'zod';
import {
  BLUEPRINT_FILES,
  BLUEPRINT_NAME,
  BlueprintConfig,
  BlueprintMcp,
  type BlueprintProblem,
  type BlueprintTexts,
} from '../../contract/blueprints.ts';
import { positionIn } from '../json-text.ts';
import { checkSchema } from './json-schema.ts';
import { JsonSource } from './json-source.ts';
import { placeholdersIn } from './render-prompt.ts';

export interface CheckedBlueprint {
  /** null: it has errors. */
  config: BlueprintConfig | null;
  mcp: BlueprintMcp | null;
  /** For a list, including those with errors. */
  about: { description: string; model: string | null; tags: string[] };
  problems: BlueprintProblem[];
}

/** As much as could be read. */
const About = z.object({
  description: z.string().catch(''),
  model: z.string().nullable().catch(null),
  tags: z.array(z.string()).catch([]),
});

/** Reads a blueprint's files and finds every problem in them, with line numbers. */
export async function checkBlueprint(name: string, texts: BlueprintTexts): Promise<CheckedBlueprint> {
  const source = new JsonSource(BLUEPRINT_FILES.config, texts.config);
  const config = source.read(BlueprintConfig);
  if (config) {
    if (!BLUEPRINT_NAME.test(name)) source.note(['name'], `"${name}" can't be used as a blueprint folder name.`);
    else if (config.name !== name) source.note(['name'], `The name is "${config.name}", but the folder is "${name}".`);
    await checkSchemas(config, source);
    noteConflicts(config, source);
  }
  const prompt = config ? checkPrompt(texts.systemPrompt, config) : [];
  const servers = texts.mcp === null ? undefined : new JsonSource(BLUEPRINT_FILES.mcp, texts.mcp);
  const mcp = servers?.read(BlueprintMcp) ?? null;
  const problems = [...source.problems, ...prompt, ...(servers?.problems ?? [])];
  const isBroken = problems.some(({ severity }) => severity === 'error');
  const about = About.safeParse(source.value).data ?? { description: '', model: null, tags: [] };
  return { config: isBroken ? null : (config ?? null), mcp, about, problems };
}

async function checkSchemas(config: BlueprintConfig, source: JsonSource): Promise<void> {
  for (const field of ['parameters', 'result'] as const) {
    const schema = config[field];
    if (!schema) continue;
    for (const { path, message } of await checkSchema(schema))
      source.note([field, ...path], `This is not a valid JSON Schema: ${message}.`);
    if (field === 'parameters' && schema.type !== 'object')
      source.note([field], 'The parameters\' schema must be an object: "type": "object".');
  }
}

/** Deny wins, so also allowing the same call has no effect. */
function noteConflicts({ allowedTools = [], deniedTools = [] }: BlueprintConfig, source: JsonSource): void {
  allowedTools.forEach((tool, index) => {
    if (deniedTools.includes(tool))
      source.note(['allowedTools', index], `"${tool}" is denied as well, and deny wins.`, 'warning');
  });
}

function checkPrompt(text: string, { parameters }: BlueprintConfig): BlueprintProblem[] {
  if (!parameters) return [];
  const properties = Object.keys((parameters.properties as Record<string, unknown> | undefined) ?? {});
  return placeholdersIn(text)
    .filter(({ name }) => !properties.includes(name))
    .map(({ name, offset }) => ({
      severity: 'warning' as const,
      file: BLUEPRINT_FILES.systemPrompt,
      ...positionIn(text, offset),
      path: [name],
      message: `There is no parameter "${name}", so this text is left as is.`,
    }));
}
