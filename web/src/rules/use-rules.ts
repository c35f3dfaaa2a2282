import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createRule,
  deleteRule,
  importRules,
  listPolicies,
  listRules,
  listRuleTemplates,
  listRuleVersions,
  restoreRule,
  suggestRules,
  updateRule,
} from '../../../src/contract/routes/rules.ts';
import type { Rule, RuleDraft } from '../../../src/contract/rules.ts';
import type { Policy } from '../../../src/contract/rules-policy.ts';
import { call, messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

const all = {
  queryKey: ['rules'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listRules, { signal }),
};

export function useRules() {
  return useQuery({ ...all, select: ({ rules }) => rules });
}

/** The built-in rules. */
export function useBuiltInRules() {
  return useQuery({ ...all, select: ({ builtIn }) => builtIn });
}

export function useTemplates() {
  return useQuery({
    queryKey: ['rule-templates'],
    queryFn: async ({ signal }) => (await call(listRuleTemplates, { signal })).templates,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSuggestions() {
  return useQuery({
    queryKey: ['rules', 'suggestions'],
    queryFn: async ({ signal }) => (await call(suggestRules, { signal })).suggestions,
  });
}

export function useVersions(id: string) {
  return useQuery({
    queryKey: ['rules', 'versions', id],
    queryFn: async ({ signal }) => (await call(listRuleVersions, { params: { id }, signal })).versions,
  });
}

export interface ProjectPolicy {
  project: string;
  policy: Policy;
}

export function usePolicies() {
  return useQuery({
    queryKey: ['policies'],
    queryFn: async ({ signal }) => (await call(listPolicies, { signal })).policies,
  });
}

/** Actions on rules. Failures show the daemon's message. */
export function useRuleActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['rules'] });
  const onError = (error: unknown) => void toast({ tone: 'red', text: messageOf(error) });
  const save = useMutation({
    mutationFn: ({ id, draft }: { id: string | null; draft: RuleDraft }) =>
      id ? call(updateRule, { params: { id }, body: draft }) : call(createRule, { body: draft }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (rule: Rule) => call(deleteRule, { params: { id: rule.id } }),
    onSuccess: (_, rule) => {
      toast({
        text: 'Rule deleted',
        action: { label: 'Undo', run: () => restore.mutate({ id: rule.id, version: rule.version }) },
      });
      return onSuccess();
    },
    onError,
  });
  const restore = useMutation({
    mutationFn: ({ id, version }: { id: string; version: number }) =>
      call(restoreRule, { params: { id }, body: { version } }),
    onSuccess,
    onError,
  });
  const addAll = useMutation({
    mutationFn: (rules: RuleDraft[]) => call(importRules, { body: { rules } }),
    onSuccess,
  });
  return { save, remove, restore, addAll };
}

export function toDraft(rule: Rule): RuleDraft {
  const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...draft } = rule;
  return draft;
}
