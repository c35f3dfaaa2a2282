import type { ProgressItem } from '../../../contract/sessions.ts';
import { isRecord, recordOf, textOf } from '../../../contract/values.ts';
import { cutLine } from '../../sessions/clip.ts';
import { type FileChange, fileChangeOf, linesOfInput } from './file-change.ts';
import { blocksOf, countOf, type Line, timeOf } from './line.ts';
import { isKnownLineType } from './line-types.ts';
import { commandOf, promptOf, wakesAgent } from './prompt-of.ts';
import { itemsAfter } from './todo-items.ts';

const MAX_TEXT = 500;
/** Enough for a decision; the rest is in the conversation. */
const MAX_SAID = 1_000;
const MAX_NAME = 100;
/** A file with endless new tools or paths must not exhaust our memory. */
const MAX_NAMES = 300;
const MAX_FILES = 2000;
const MAX_OPEN_CALLS = 64;
const MAX_SPAWNED = 500;
const MAX_UNWRITTEN = 200;
/** A message's lines are close together, and so are duplicates. */
const MAX_RECENT = 64;

export interface TouchedFile {
  edits: number;
  reads: number;
  added: number;
  removed: number;
}

/** A call without a result yet. */
interface OpenCall {
  name: string;
  path: string;
  added: number;
  removed: number;
  subject: string;
  status: string;
  description: string;
  agentType: string;
}

/** What one transcript's lines say, besides usage. Plain JSON: stored with the position up to which the file was read, and continued from there. */
export interface Facts {
  /** The subagent whose transcript it is; null for the session's own. */
  agentId: string | null;
  startedAt: number | null;
  lastAt: number | null;
  titles: { custom: string | null; generated: string | null; summary: string | null };
  firstPrompt: string | null;
  firstCommand: string | null;
  lastPrompt: string | null;
  /** The agent's last message since the prompt. */
  lastText: string | null;
  prompts: number;
  /** Prompts and responses; a response in several lines is one. */
  messages: number;
  turnStartedAt: number | null;
  cwd: string | null;
  branch: string | null;
  clientVersion: string | null;
  model: string | null;
  /** The requested model name: a trailing `[1m]` means the longer context. */
  requestedModel: string | null;
  permissionMode: string | null;
  /** The size of the last request, as the client's own `/context` counts it: without the response. */
  contextTokens: number | null;
  cache: { usedAt: number; keptFor: '5m' | '1h' } | null;
  items: ProgressItem[];
  toolCounts: Record<string, number>;
  files: Record<string, TouchedFile>;
  linesAdded: number;
  linesRemoved: number;
  /** Subagents started from here. */
  spawned: { id: string; type: string; description: string | null; at: number | null }[];
  /** The latest requests whose usage the client didn't write. */
  unwritten: { at: number; kind: 'compaction' | 'web_search' }[];
  unknownLines: Record<string, number>;
  openCalls: Record<string, OpenCall>;
  recentIds: string[];
}

export function emptyFacts(agentId: string | null = null): Facts {
  return {
    agentId,
    startedAt: null,
    lastAt: null,
    titles: { custom: null, generated: null, summary: null },
    firstPrompt: null,
    firstCommand: null,
    lastPrompt: null,
    lastText: null,
    prompts: 0,
    messages: 0,
    turnStartedAt: null,
    cwd: null,
    branch: null,
    clientVersion: null,
    model: null,
    requestedModel: null,
    permissionMode: null,
    contextTokens: null,
    cache: null,
    items: [],
    toolCounts: {},
    files: {},
    linesAdded: 0,
    linesRemoved: 0,
    spawned: [],
    unwritten: [],
    unknownLines: {},
    openCalls: {},
    recentIds: [],
  };
}

/** Adds one line, in place: a copy per line would be most of the index's work. */
export function addLine(facts: Facts, line: Line): void {
  noteTime(facts, timeOf(line));
  // older versions write their subagents' activity between the session's own lines
  const isAside = facts.agentId === null && line.isSidechain === true;
  switch (line.type) {
    case 'user':
      if (!isAside) addUser(facts, line);
      addResults(facts, line, { isAside });
      return;
    case 'assistant':
      addAnswer(facts, line, { isAside });
      return;
    case 'attachment':
      if (!isAside) addAttachment(facts, line);
      return;
    case 'system':
      if (line.subtype === 'compact_boundary' && !isAside) compacted(facts, line);
      return;
    case 'custom-title':
      facts.titles.custom = cut(line.customTitle);
      return;
    case 'ai-title':
      facts.titles.generated = cut(line.aiTitle);
      return;
    case 'summary':
      facts.titles.summary = cut(line.summary);
      return;
    case 'permission-mode':
      if (textOf(line.permissionMode)) facts.permissionMode = name(line.permissionMode);
      return;
    default:
      if (!isKnownLineType(line.type)) bump(facts.unknownLines, name(line.type) || '(no type)', MAX_NAMES);
  }
}

/** The session's title. */
export function titleOf({ titles, firstPrompt, firstCommand }: Facts): string | null {
  return titles.custom ?? titles.generated ?? titles.summary ?? firstPrompt ?? firstCommand;
}

const KEPT_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

/** Until then, the prompt cache covers the next prompt. */
export function cacheWarmUntil({ cache }: Facts): number | null {
  return cache && cache.usedAt + KEPT_MS[cache.keptFor];
}

function noteTime(facts: Facts, at: number | null): void {
  if (at === null) return;
  facts.startedAt = Math.min(facts.startedAt ?? at, at);
  facts.lastAt = Math.max(facts.lastAt ?? at, at);
}

function addUser(facts: Facts, line: Line): void {
  notePlace(facts, line);
  if (textOf(line.permissionMode)) facts.permissionMode = name(line.permissionMode);
  const prompt = promptOf(line);
  if (prompt !== null) addPrompt(facts, line, prompt);
  else if (wakesAgent(line)) facts.turnStartedAt = timeOf(line);
  else if (facts.firstCommand === null) facts.firstCommand = cut(commandOf(line));
}

function addPrompt(facts: Facts, line: Line, prompt: string): void {
  if (isRepeated(facts, textOf(line.uuid))) return;
  const text = cutLine(prompt, MAX_TEXT);
  facts.firstPrompt ??= text;
  facts.lastPrompt = text;
  facts.prompts++;
  facts.messages++;
  // a prompt typed meanwhile joins the running turn
  if (line.type === 'user') {
    facts.turnStartedAt = timeOf(line);
    facts.lastText = null;
  }
}

function addAttachment(facts: Facts, line: Line): void {
  notePlace(facts, line);
  const { type, identity } = recordOf(line.attachment);
  if (type === 'model') facts.requestedModel = name(recordOf(identity).modelId) || facts.requestedModel;
  const prompt = promptOf(line);
  if (prompt !== null) addPrompt(facts, line, prompt);
}

function notePlace(facts: Facts, line: Line): void {
  if (textOf(line.cwd)) facts.cwd = textOf(line.cwd).slice(0, 4096);
  if (textOf(line.gitBranch)) facts.branch = textOf(line.gitBranch).slice(0, 300);
  if (textOf(line.version)) facts.clientVersion = name(line.version);
}

function addAnswer(facts: Facts, line: Line, { isAside }: { isAside: boolean }): void {
  const message = recordOf(line.message);
  const model = name(message.model);
  if (!isAside) {
    notePlace(facts, line);
    // the client's own text, such as after an error, comes from no model
    if (model && model !== '<synthetic>') {
      facts.model = model;
      facts.requestedModel = name(line.requestedModel) || facts.requestedModel;
      if (isRecord(message.usage)) addContext(facts, line, message.usage);
      noteText(facts, line);
    }
    if (!isRepeated(facts, textOf(message.id))) facts.messages++;
  }
  // server-side tools have other names
  for (const block of blocksOf(line)) if (textOf(block.type).endsWith('tool_use')) addCall(facts, block);
}

function noteText(facts: Facts, line: Line): void {
  for (const { type, text } of blocksOf(line)) {
    const said = type === 'text' ? textOf(text).trim() : '';
    if (said) facts.lastText = said.length > MAX_SAID ? `${said.slice(0, MAX_SAID).toWellFormed()}…` : said;
  }
}

function addContext(facts: Facts, line: Line, usage: Record<string, unknown>): void {
  const read = countOf(usage.cache_read_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const sent = countOf(usage.input_tokens) + read + written;
  if (sent === 0) return;
  facts.contextTokens = sent;
  const at = timeOf(line);
  if (read + written === 0 || at === null) facts.cache = null;
  else facts.cache = { usedAt: at, keptFor: keptFor(facts, line, usage) };
}

/** A cache read keeps the lifetime it was written with. */
function keptFor(facts: Facts, line: Line, usage: Record<string, unknown>): '5m' | '1h' {
  const { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: minutes } = recordOf(usage.cache_creation);
  if (countOf(hour) > 0) return '1h';
  if (countOf(minutes) > 0) return '5m';
  return facts.cache?.keptFor ?? (line.promptCacheRequested === '1h' ? '1h' : '5m');
}

/** The next request contains the summary; the next response says how long that is. */
function compacted(facts: Facts, line: Line): void {
  facts.contextTokens = countOf(recordOf(line.compactMetadata).postTokens) || null;
  facts.cache = null;
  addUnwritten(facts, line, 'compaction');
}

function addCall(facts: Facts, block: Record<string, unknown>): void {
  const id = textOf(block.id);
  if (isRepeated(facts, id)) return;
  const tool = name(block.name) || '(no name)';
  bump(facts.toolCounts, tool, MAX_NAMES);
  const open = Object.keys(facts.openCalls);
  if (open.length >= MAX_OPEN_CALLS) delete facts.openCalls[open[0]!];
  if (id) facts.openCalls[id] = openCall(tool, recordOf(block.input));
}

/** What a result doesn't repeat. */
function openCall(tool: string, input: Record<string, unknown>): OpenCall {
  return {
    name: tool,
    path: (textOf(input.file_path) || textOf(input.notebook_path)).slice(0, 4096),
    ...linesOfInput(input),
    subject: textOf(input.subject).slice(0, MAX_TEXT),
    status: name(input.status),
    description: textOf(input.description).slice(0, MAX_TEXT),
    agentType: name(input.subagent_type),
  };
}

function addResults(facts: Facts, line: Line, { isAside }: { isAside: boolean }): void {
  for (const block of blocksOf(line)) {
    if (block.type !== 'tool_result') continue;
    const id = textOf(block.tool_use_id);
    const call = Object.hasOwn(facts.openCalls, id) ? facts.openCalls[id] : undefined;
    if (!call) continue;
    delete facts.openCalls[id];
    if (block.is_error !== true) addResult(facts, line, call, { isAside });
  }
}

function addResult(facts: Facts, line: Line, call: OpenCall, { isAside }: { isAside: boolean }): void {
  const result = line.toolUseResult;
  const change = fileChangeOf(call, result, textOf(line.cwd) || facts.cwd || '');
  if (change) addChange(facts, change);
  if (!isAside) facts.items = itemsAfter(facts.items, call, result);
  if (call.name === 'WebSearch') addUnwritten(facts, line, 'web_search');
  const agentId = name(recordOf(result).agentId);
  if (!agentId || facts.spawned.length >= MAX_SPAWNED || facts.spawned.some(({ id }) => id === agentId)) return;
  const description = call.description ? cutLine(call.description, 80) : null;
  facts.spawned.push({ id: agentId, type: call.agentType || 'agent', description, at: timeOf(line) });
}

function addUnwritten(facts: Facts, line: Line, kind: Facts['unwritten'][number]['kind']): void {
  facts.unwritten.push({ at: timeOf(line) ?? facts.lastAt ?? 0, kind });
  if (facts.unwritten.length > MAX_UNWRITTEN) facts.unwritten.shift();
}

function addChange(facts: Facts, { path, kind, added, removed }: FileChange): void {
  facts.linesAdded += added;
  facts.linesRemoved += removed;
  const known = Object.hasOwn(facts.files, path) ? facts.files[path] : undefined;
  if (!known && Object.keys(facts.files).length >= MAX_FILES) return;
  const before = known ?? { edits: 0, reads: 0, added: 0, removed: 0 };
  facts.files[path] = {
    edits: before.edits + (kind === 'edit' ? 1 : 0),
    reads: before.reads + (kind === 'read' ? 1 : 0),
    added: before.added + added,
    removed: before.removed + removed,
  };
}

/** Whether something with this id was just processed: a message is several lines, and lines are written twice. */
function isRepeated(facts: Facts, id: string): boolean {
  if (!id) return false;
  if (facts.recentIds.includes(id)) return true;
  facts.recentIds.push(id.slice(0, MAX_NAME));
  if (facts.recentIds.length > MAX_RECENT) facts.recentIds.shift();
  return false;
}

function bump(counts: Record<string, number>, key: string, max: number): void {
  if (Object.hasOwn(counts, key)) counts[key]!++;
  else if (Object.keys(counts).length < max) counts[key] = 1;
}

function cut(value: unknown): string | null {
  return cutLine(textOf(value), MAX_TEXT) || null;
}

function name(value: unknown): string {
  return textOf(value).slice(0, MAX_NAME);
}
