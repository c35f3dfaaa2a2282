import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FanOut, FanOutRequest, KeepRequest } from '../../../src/contract/fan-outs.ts';
import {
  discardFanOut,
  getFanOut,
  keepFanOut,
  listFanOuts,
  startFanOut,
} from '../../../src/contract/routes/fan-outs.ts';
import { diffWorktree } from '../../../src/contract/routes/worktrees.ts';
import type { WorktreeDiff } from '../../../src/contract/worktrees.ts';
import { call } from '../api/request.ts';

/** Agents change files without reporting it, so poll. */
const WORKING_MS = 5_000;

export function useFanOuts() {
  return useQuery({
    queryKey: ['fan-outs'],
    queryFn: async ({ signal }) => (await call(listFanOuts, { signal })).fanOuts,
    refetchInterval: ({ state }) => (state.data?.some(isAtWork) ? WORKING_MS : false),
  });
}

export function useFanOut(id: string) {
  return useQuery({
    queryKey: ['fan-outs', id],
    queryFn: ({ signal }) => call(getFanOut, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? WORKING_MS : false),
  });
}

const isAtWork = ({ state, isClearing }: Pick<FanOut, 'state' | 'isClearing'>) =>
  state === 'starting' || state === 'running' || isClearing;

export type DiffOf = (run: FanOut['runs'][number]) => WorktreeDiff | undefined;

/** The diff of each run's worktree, as it was when its changes were last counted. */
export function useRunDiffs(runs: FanOut['runs']): DiffOf {
  const withWorktree = runs.filter(({ worktree, changes }) => worktree !== null && changes !== null);
  const diffs = useQueries({
    queries: withWorktree.map(({ worktree, changes }) => ({
      queryKey: ['worktrees', worktree?.id, 'diff', changes?.tree],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(diffWorktree, { params: { id: worktree!.id }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  return ({ name }) => diffs[withWorktree.findIndex((run) => run.name === name)]?.data;
}

export function useFanOutActions() {
  const queries = useQueryClient();
  const onSuccess = () => void queries.invalidateQueries({ queryKey: ['fan-outs'] });
  const start = useMutation({
    mutationFn: (body: Parameters<typeof toBody>[0]) => call(startFanOut, { body: toBody(body) }),
    onSuccess,
  });
  const keep = useMutation({
    mutationFn: ({ id, ...body }: KeepRequest & { id: string }) => call(keepFanOut, { params: { id }, body }),
    onSuccess,
  });
  const discard = useMutation({
    mutationFn: (id: string) => call(discardFanOut, { params: { id } }),
    onSuccess,
  });
  return { start, keep, discard };
}

export interface NewRun {
  driver: 'claude' | 'native';
  blueprint: string;
  model: string;
}

export interface NewFanOut {
  name: string;
  cwd: string;
  prompt: string;
  base: string;
  dollars: string;
  allowedTools: string;
  runs: NewRun[];
}

/** The filled-in fields only. */
export function toBody({ base, dollars, allowedTools, runs, ...given }: NewFanOut): FanOutRequestBody {
  return {
    ...given,
    ...(base.trim() === '' ? {} : { base: base.trim() }),
    ...(dollars === '' ? {} : { budget: { dollars: Number(dollars) } }),
    allowedTools: allowedTools
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    runs: runs.map(({ driver, blueprint, model }) => ({
      driver,
      ...(blueprint === '' ? {} : { blueprint }),
      ...(model.trim() === '' ? {} : { model: model.trim() }),
    })),
  };
}

type FanOutRequestBody = Partial<FanOutRequest> & Pick<FanOutRequest, 'name' | 'cwd' | 'prompt' | 'runs'>;
