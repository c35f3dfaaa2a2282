/** claude-3-5-haiku and claude-haiku-3-5, claude-4.5-sonnet and claude-sonnet-4-5: the number before or after the family. */
const NUMBER_FIRST = /^claude-(\d{1,2})(?:[-.](\d{1,2}))?-([a-z]+)$/;
const FAMILY_FIRST = /^claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?$/;

/** What gateways put before the name; `anthropic/…` and the like end with the slash. */
const GATEWAY = /^(?:databricks|bedrock|vertex|azure|aws|gcp|anthropic-?)-(?=claude)/;
/** Suffixes: the same model with a thinking setting. */
const MANNER =
  /(?::(?:thinking|beta|extended|nitro|floor|online|exacto)|-thinking(?:-\w+)?|-(?:low|medium|high|xhigh|max))$/;

/**
 * The one name a model is priced under, from its names in transcripts: with a date, with `[1m]`, or as Bedrock (`us.anthropic.…-v1:0`, an
 * ARN), Vertex (`…@20250929`) or a gateway (`anthropic/…`, `…-thinking`) spells it.
 */
export function normalizeModel(name: string): string {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^.*anthropic\./, '')
    .replace(GATEWAY, '')
    .replace(/^(?=(?:opus|sonnet|haiku)-\d)/, 'claude-')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/@[^@]*$/, '')
    .replace(MANNER, '')
    .replace(MANNER, '')
    .replace(/(?:-v\d+)?(?::\d+[a-z]?)*$/, '')
    .replace(/-(?:\d{8}|latest)$/, '')
    .replace(/-v\d+$/, '');
  const numberFirst = NUMBER_FIRST.exec(bare);
  if (numberFirst) return spell(numberFirst[3]!, numberFirst[1]!, numberFirst[2]);
  const familyFirst = FAMILY_FIRST.exec(bare);
  if (familyFirst) return spell(familyFirst[1]!, familyFirst[2]!, familyFirst[3]);
  return bare;
}

function spell(family: string, major: string, minor: string | undefined): string {
  const number = minor === undefined || Number(minor) === 0 ? major : `${major}-${minor}`;
  return Number(major) < 4 ? `claude-${number}-${family}` : `claude-${family}-${number}`;
}

/** The client writes such lines itself (API errors, interruptions): no model was called and nothing is charged. */
export function isSynthetic(model: string): boolean {
  return model === '<synthetic>';
}
