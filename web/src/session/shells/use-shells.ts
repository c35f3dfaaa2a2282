import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { listShells, readShell } from '../../../../src/contract/routes/shells.ts';
import type { ShellOutput, ShellView } from '../../../../src/contract/shells.ts';
import { call, messageOf } from '../../api/request.ts';
import { addOutput, NO_OUTPUT, type OutputState } from './output-lines.ts';

/** Processes that a command starts or ends aren't reported, so poll. */
const PROCESSES_MS = 5000;
const TYPING_MS = 200;

/** Refetched when the stream reports that a shell started, ended or moved to the background. */
export function useShells(id: string) {
  return useQuery({
    queryKey: ['shells', id],
    queryFn: () => call(listShells, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.shells.some(({ processes }) => processes.length > 0) ? PROCESSES_MS : false,
    placeholderData: (before) => before,
    retry: false,
  });
}

/** Its output so far. Fetches more when the stream reports new output. */
export function useShellOutput(sessionId: string, { id: shellId, state }: ShellView) {
  const seen = useRef<OutputState>(NO_OUTPUT);
  const { data, error } = useQuery({
    // fetch the rest when it ends
    queryKey: ['shell-output', sessionId, shellId, state],
    queryFn: () => readRest(sessionId, shellId, seen),
    placeholderData: (before) => before,
    retry: false,
  });
  return { ...(data ?? seen.current), failure: error ? messageOf(error) : null };
}

async function readRest(sessionId: string, shellId: string, seen: { current: OutputState }): Promise<OutputState> {
  for (;;) {
    const before = seen.current;
    const next = await call(readShell, { params: { id: sessionId, shellId }, query: { after: before.cursor } });
    // another request may have been faster
    if (seen.current.cursor === before.cursor) seen.current = addOutput(before, next);
    if (next.pieces.length === 0) return seen.current;
  }
}

/** Lines that contain the text. undefined: no search. */
export function useShellSearch(sessionId: string, shellId: string, text: string): ShellOutput | undefined {
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery({
    queryKey: ['shell-search', sessionId, shellId, wanted],
    queryFn: () => call(readShell, { params: { id: sessionId, shellId }, query: { search: wanted } }),
    enabled: wanted !== '',
  });
  return wanted === '' ? undefined : data;
}
