import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type {
  BlueprintSave,
  BlueprintScope,
  BlueprintSummary,
  BlueprintTexts,
  WritableScope,
} from '../../../src/contract/blueprints.ts';
import { checkAgent, getAgent, listAgents, removeAgent, saveAgent } from '../../../src/contract/routes/agents.ts';
import { call } from '../api/request.ts';

const CHECK_MS = 300;

/** Ignores a folder that is still being typed. */
export const placeOf = (project: string | undefined) => (project?.startsWith('/') ? { project } : {});

export function useBlueprintList(project: string | undefined) {
  const place = placeOf(project);
  return useQuery({
    queryKey: ['agents', place],
    queryFn: async ({ signal }) => (await call(listAgents, { query: place, signal })).agents,
    placeholderData: (before) => before,
  });
}

/** Blueprints that can start a session. */
export function useStartableBlueprints(project: string): BlueprintSummary[] {
  const { data } = useBlueprintList(project);
  return (data ?? []).filter(({ isUsed }) => isUsed);
}

export function useBlueprint(name: string, scope: BlueprintScope, project: string | undefined) {
  const query = { scope, ...placeOf(project) };
  return useQuery({
    queryKey: ['agents', name, query],
    queryFn: ({ signal }) => call(getAgent, { params: { name }, query, signal }),
    retry: false,
  });
}

/** Problems in the text as it is now, a moment after the last keystroke. */
export function useBlueprintCheck(name: string, texts: BlueprintTexts | null) {
  const [settled, setSettled] = useState(texts);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(texts), CHECK_MS);
    return () => clearTimeout(timer);
  }, [texts]);
  return useQuery({
    queryKey: ['agent-check', name, settled],
    queryFn: async ({ signal }) => (await call(checkAgent, { body: { name, texts: settled! }, signal })).problems,
    enabled: settled !== null,
    placeholderData: (before) => before,
    gcTime: 0,
  });
}

export function useBlueprintActions(project: string | undefined) {
  const queries = useQueryClient();
  const onSuccess = () => void queries.invalidateQueries({ queryKey: ['agents'] });
  const save = useMutation({
    mutationFn: ({ name, ...body }: { name: string } & Omit<BlueprintSave, 'project' | 'agentsDir'>) =>
      call(saveAgent, { params: { name }, body: { ...body, ...placeOf(project) } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: ({ name, ...query }: { name: string; scope: WritableScope; expected: string }) =>
      call(removeAgent, { params: { name }, query: { ...query, ...placeOf(project) } }),
    onSuccess,
  });
  return { save, remove };
}
