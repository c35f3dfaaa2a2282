import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listShells, readShell } from '../../../../src/contract/routes/shells.ts';
import type { ShellOutput, ShellView } from '../../../../src/contract/shells.ts';
import { call, messageOf } from '../../api/request.ts';
import { addOutput, NO_OUTPUT, type OutputState } from './output-lines.ts';

const LIST_MS = 1500;
const BUSY_MS = 250;
const QUIET_MS = 800;
const TYPING_MS = 200;

/** The shells live in the session's own process, so nothing on the stream reports their changes. */
export function useShells(id: string) {
  return useQuery({
    queryKey: ['shells', id],
    queryFn: () => call(listShells, { params: { id } }),
    refetchInterval: LIST_MS,
    placeholderData: (before) => before,
    retry: false,
  });
}

/** Its output so far, and what comes. */
export function useShellOutput(sessionId: string, { id: shellId, state }: ShellView) {
  const [output, setOutput] = useState<OutputState & { failure: string | null }>({ ...NO_OUTPUT, failure: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let seen: OutputState = NO_OUTPUT;
    const look = async () => {
      try {
        const next = await call(readShell, { params: { id: sessionId, shellId }, query: { after: seen.cursor } });
        if (isOver) return;
        const isNew = next.pieces.length > 0;
        seen = addOutput(seen, next);
        if (isNew) setOutput({ ...seen, failure: null });
        if (state === 'running' || isNew) timer = setTimeout(look, isNew ? BUSY_MS : QUIET_MS);
      } catch (error) {
        if (!isOver) setOutput({ ...seen, failure: messageOf(error) });
      }
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [sessionId, shellId, state]);
  return output;
}

/** Lines that contain the text. undefined: nothing is searched for. */
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
