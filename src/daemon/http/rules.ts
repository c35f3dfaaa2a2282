import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  BuiltInRule,
  Rule,
  RuleDraft,
  RuleSuggestion,
  RulesRehearsal,
  RulesRehearsalRequest,
  RulesTestRequest,
  RulesTestResponse,
  RuleTemplate,
} from '../../contract/rules.ts';
import { PolicyList, ProjectPolicy } from '../../contract/rules-policy.ts';
import { describeRule } from '../rules/describe-rule.ts';
import { rehearse } from '../rules/rehearse.ts';
import { TEMPLATES } from '../rules/templates.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

const Params = z.object({ id: z.string() });
const RuleList = z.object({ rules: z.array(Rule) });
const Version = z.object({ version: z.number(), action: z.string(), at: z.number(), by: z.string(), rule: Rule });

export const ruleRoutes: FastifyPluginAsyncZod<Context> = async (app, context) => {
  const { rules, builtIn, ruling, policies } = context;
  const tags = ['rules'];

  app.get(
    '/api/rules',
    { schema: { tags, response: { 200: RuleList.extend({ builtIn: z.array(BuiltInRule) }) } } },
    async () => ({ rules: rules.list(), builtIn: builtIn.list() }),
  );

  app.post(
    '/api/rules',
    { schema: { tags, body: RuleDraft, response: { 201: Rule } } },
    async ({ body, device }, reply) => reply.code(201).send(await rules.create(body, actorName(device))),
  );

  app.get('/api/rules/:id', { schema: { tags, params: Params, response: { 200: Rule } } }, async ({ params }) =>
    rules.get(params.id),
  );

  app.put(
    '/api/rules/:id',
    { schema: { tags, params: Params, body: RuleDraft, response: { 200: Rule } } },
    async ({ params, body, device }) => rules.update(params.id, body, actorName(device)),
  );

  app.delete(
    '/api/rules/:id',
    { schema: { tags, params: Params, response: { 204: z.null() } } },
    async ({ params, device }, reply) => {
      await rules.remove(params.id, actorName(device));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/rules/:id/versions',
    { schema: { tags, params: Params, response: { 200: z.object({ versions: z.array(Version) }) } } },
    async ({ params }) => ({
      versions: rules.versions(params.id),
    }),
  );

  app.post(
    '/api/rules/:id/restore',
    {
      schema: {
        tags,
        params: Params,
        body: z.object({ version: z.number().int().min(1) }).strict(),
        response: { 200: Rule },
      },
    },
    async ({ params, body, device }) => rules.restore(params.id, body.version, actorName(device)),
  );

  app.post(
    '/api/rules/test',
    { schema: { tags, body: RulesTestRequest, response: { 200: RulesTestResponse } } },
    async ({ body }) => ruling.test(body),
  );

  app.post(
    '/api/rules/rehearse',
    { schema: { tags, body: RulesRehearsalRequest, response: { 200: RulesRehearsal } } },
    async ({ body }) => rehearse(body.rule, { ...context, limit: body.limit, id: body.id }),
  );

  app.post(
    '/api/rules/describe',
    { schema: { tags, body: RuleDraft, response: { 200: z.object({ text: z.string() }) } } },
    async ({ body }) => ({ text: describeRule(body) }),
  );

  app.get(
    '/api/rules/templates',
    { schema: { tags, response: { 200: z.object({ templates: z.array(RuleTemplate) }) } } },
    async () => ({
      templates: TEMPLATES,
    }),
  );

  app.get(
    '/api/rules/suggestions',
    { schema: { tags, response: { 200: z.object({ suggestions: z.array(RuleSuggestion) }) } } },
    async () => ({
      suggestions: ruling.suggestions(),
    }),
  );

  app.get('/api/rules/export', { schema: { tags, response: { 200: RuleList } } }, async () => ({
    rules: rules.list(),
  }));

  app.post(
    '/api/rules/import',
    {
      schema: { tags, body: z.object({ rules: z.array(RuleDraft.or(Rule)).max(10_000) }), response: { 201: RuleList } },
    },
    async ({ body, device }, reply) => {
      const drafts = body.rules.map((rule) => RuleDraft.parse(withoutIdentity(rule)));
      return reply.code(201).send({ rules: await rules.import(drafts, actorName(device)) });
    },
  );

  app.get('/api/policies', { schema: { tags, response: { 200: PolicyList } } }, async () => ({
    policies: policies.list(),
  }));

  app.put(
    '/api/policies',
    { schema: { tags, body: ProjectPolicy, response: { 200: PolicyList } } },
    async ({ body, device }) => {
      await policies.set(body.project.replace(/\/+$/, ''), body.policy, actorName(device));
      return { policies: policies.list() };
    },
  );
};

/** What was exported can be imported: its ids and versions are made anew. */
function withoutIdentity(rule: object): object {
  const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...draft } = rule as Rule;
  return draft;
}
