import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { ModelPrice } from '../../../src/contract/prices.ts';
import { listPrices, setPrices } from '../../../src/contract/routes/prices.ts';
import { ForAdmins } from '../access/for-operators.tsx';
import { call, messageOf } from '../api/request.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { Section } from './section.tsx';

/** Model prices. Models without one show an unknown cost, so the list can be extended. */
export function PricesSection() {
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ['prices'],
    queryFn: ({ signal }) => call(listPrices, { signal }),
  });
  const [edited, setEdited] = useState<ModelPrice | 'new' | null>(null);
  const save = useMutation({
    mutationFn: (overrides: ModelPrice[]) => call(setPrices, { body: { overrides } }),
    onSuccess(next) {
      queries.setQueryData(['prices'], next);
      for (const name of ['stats', 'history']) void queries.invalidateQueries({ queryKey: [name] });
      setEdited(null);
    },
  });
  const overrides = list.data?.overrides ?? [];
  const isOwn = (model: string) => overrides.some((price) => price.model === model);
  const without = (model: string) => overrides.filter((price) => price.model !== model);

  return (
    <Section
      title="Prices"
      about={
        list.data && (
          <>
            US dollars per million tokens. Built in as of {list.data.date}, from {list.data.source}; your prices
            override these.
          </>
        )
      }
    >
      {list.isPending && <Skeleton lines={4} what="the prices" />}
      {list.error && <Failure message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section aria-label="Price list" tabIndex={0} className="max-h-96 overflow-auto rounded-lg border border-line">
          <table className="w-full text-md tabular-nums">
            <thead className="sticky top-0 bg-sunken text-ink-3">
              <tr>
                {['Model', 'Input', 'Output', 'Cache read', 'Write 5 min', 'Write 1 h', ''].map((name) => (
                  <th key={name} className="px-3 py-1.5 text-end font-medium whitespace-nowrap first:text-start">
                    {name || <span className="sr-only">Change</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.data.models.map((price) => (
                <tr key={price.model} className="border-t border-line">
                  <th scope="row" className="px-3 py-1.5 text-start font-mono text-code font-normal">
                    {price.model} {isOwn(price.model) && <span className="font-sans text-ink-3">(yours)</span>}
                  </th>
                  {[price.input, price.output, price.cacheRead, price.cacheWrite5m, price.cacheWrite1h].map(
                    (usd, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
                      <td key={index} className="px-3 py-1.5 text-end">
                        {usd}
                      </td>
                    ),
                  )}
                  <td className="px-1 text-end whitespace-nowrap">
                    <ForAdmins>
                      {isOwn(price.model) && (
                        <button
                          type="button"
                          className="icon-button"
                          aria-label={`Remove your price for ${price.model}`}
                          onClick={() => save.mutate(without(price.model))}
                        >
                          <RotateCcw aria-hidden size={15} />
                        </button>
                      )}
                      <button
                        type="button"
                        className="icon-button"
                        aria-label={`Change the price of ${price.model}`}
                        onClick={() => setEdited(price)}
                      >
                        <Pencil aria-hidden size={15} />
                      </button>
                    </ForAdmins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <ForAdmins>
        <button type="button" className="button self-start" disabled={!list.data} onClick={() => setEdited('new')}>
          <Plus aria-hidden size={16} /> Add a model
        </button>
      </ForAdmins>
      {save.error && edited === null && <Failure message={messageOf(save.error)} />}
      {edited && (
        <PriceDialog
          price={edited === 'new' ? null : edited}
          error={save.error ? messageOf(save.error) : null}
          busy={save.isPending}
          onSave={(price) => save.mutate([...without(price.model), price])}
          onClose={() => {
            save.reset();
            setEdited(null);
          }}
        />
      )}
    </Section>
  );
}
