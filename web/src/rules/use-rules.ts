import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  BuiltInRule,
  Rule,
  RuleDraft,
  RuleSuggestion,
  RuleTemplate,
  RuleVersion,
} from '../../../src/contract/rules.ts';
import type { Policy } from '../../../src/contract/rules-policy.ts';
import { deleteJson, getJson, messageOf, postJson, putJson } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

interface AllRules {
  rules: Rule[];
  builtIn: BuiltInRule[];
}

const all = {
  queryKey: ['rules'],
  queryFn: ({ signal }: { signal: AbortSignal }) => getJson<AllRules>('/api/rules', { signal }),
};

export function useRules() {
  return useQuery({ ...all, select: ({ rules }: AllRules) => rules });
}

/** The built-in rules. */
export function useBuiltInRules() {
  return useQuery({ ...all, select: ({ builtIn }: AllRules) => builtIn });
}

export function useTemplates() {
  return useQuery({
    queryKey: ['rule-templates'],
    queryFn: async ({ signal }) =>
      (await getJson<{ templates: RuleTemplate[] }>('/api/rules/templates', { signal })).templates,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSuggestions() {
  return useQuery({
    queryKey: ['rules', 'suggestions'],
    queryFn: async ({ signal }) =>
      (await getJson<{ suggestions: RuleSuggestion[] }>('/api/rules/suggestions', { signal })).suggestions,
  });
}

export function useVersions(id: string) {
  return useQuery({
    queryKey: ['rules', 'versions', id],
    queryFn: async ({ signal }) =>
      (await getJson<{ versions: RuleVersion[] }>(`/api/rules/${encodeURIComponent(id)}/versions`, { signal }))
        .versions,
  });
}

export interface ProjectPolicy {
  project: string;
  policy: Policy;
}

export function usePolicies() {
  return useQuery({
    queryKey: ['policies'],
    queryFn: async ({ signal }) => (await getJson<{ policies: ProjectPolicy[] }>('/api/policies', { signal })).policies,
  });
}

/** Actions on rules. Failures show the daemon's message. */
export function useRuleActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['rules'] });
  const onError = (error: unknown) => void toast({ tone: 'red', text: messageOf(error) });
  const save = useMutation({
    mutationFn: ({ id, draft }: { id: string | null; draft: RuleDraft }) =>
      id ? putJson<Rule>(`/api/rules/${encodeURIComponent(id)}`, draft) : postJson<Rule>('/api/rules', draft),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (rule: Rule) => deleteJson(`/api/rules/${encodeURIComponent(rule.id)}`),
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
      postJson<Rule>(`/api/rules/${encodeURIComponent(id)}/restore`, { version }),
    onSuccess,
    onError,
  });
  const addAll = useMutation({
    mutationFn: (rules: RuleDraft[]) => postJson('/api/rules/import', { rules }),
    onSuccess,
  });
  return { save, remove, restore, addAll };
}

export function toDraft(rule: Rule): RuleDraft {
  const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...draft } = rule;
  return draft;
}
