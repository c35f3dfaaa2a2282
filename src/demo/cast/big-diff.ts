import { bash, edit, read, todos } from '../tool-calls.ts';
import { type Part, SONNET } from './part.ts';

const STEPS = [
  'Tests for current behavior',
  'Replace eleven states with a reducer',
  'Remove the effects',
  'Check the checkout by hand',
];

/** Wants to rewrite most of a file. */
export const bigDiff: Part = {
  project: 'atlas-web',
  model: SONNET,
  startedAgo: 15,
  context: 41_000,
  async play(session) {
    const { main, project } = session;
    const file = `${project.path}/src/checkout/use-cart.ts`;
    await session.prompt(
      "`use-cart.ts` has eleven useState calls and nine effects that set each other's state. Turn it into a reducer. Totals must never be stale.",
    );
    await main.pause(5);
    await main.use(todos(STEPS, 0));
    await main.use(read(file, BEFORE));
    await main.use(bash('npx vitest run checkout', '37 passed', { description: 'Tests as they are' }), { lasts: 9 });
    await main.use(todos(STEPS, 1));
    await main.untilAgo(2.6);
    const edited = await main.use(edit(file, BEFORE, AFTER, { asks: true }), {
      say: "The totals become derived values, so they can't go stale. The hook keeps its signature, so none of its nine callers change.",
      thinking:
        'Everything except the lines and the code can be derived. A reducer with four actions, and a memo for the totals.',
      terminalAfter: 240,
    });
    if (edited.kind === 'denied')
      await main.use(
        edit(
          file,
          BEFORE.slice(0, 360),
          BEFORE.slice(0, 360).replace('useState(0)', 'useMemo(() => sum(lines), [lines])'),
        ),
        { say: `Going smaller: ${edited.message} I'll only derive the subtotal and leave the rest.`, lasts: 2 },
      );
    await main.use(bash('npx vitest run checkout', '37 passed', { description: 'The same tests' }), { lasts: 16 });
    await main.use(todos(STEPS, 3));
    await session.finish(
      'The hook went from 96 lines to 58, with one state and no effects that set state. All 37 tests pass unchanged.',
    );
  },
};

const FIELDS = ['subtotal', 'discount', 'shipping', 'tax', 'total', 'itemCount', 'isEmpty', 'isFreeShipping'];

const BEFORE = `import { useEffect, useState } from 'react';
import type { CartLine, Code } from './types';

export function useCart(initial: CartLine[]) {
  const [lines, setLines] = useState(initial);
  const [code, setCode] = useState<Code | null>(null);
${FIELDS.map((name) => `  const [${name}, set${name[0]?.toUpperCase()}${name.slice(1)}] = useState(${name.startsWith('is') ? 'false' : '0'});`).join('\n')}
  const [isDirty, setIsDirty] = useState(false);

  useEffect(() => {
    setSubtotal(lines.reduce((sum, line) => sum + line.price * line.quantity, 0));
    setItemCount(lines.reduce((sum, line) => sum + line.quantity, 0));
    setIsEmpty(lines.length === 0);
  }, [lines]);

  useEffect(() => {
    setDiscount(code ? Math.round(subtotal * code.rate) : 0);
  }, [code, subtotal]);

  useEffect(() => {
    setIsFreeShipping(subtotal - discount >= 5000);
  }, [subtotal, discount]);

  useEffect(() => {
    setShipping(isFreeShipping || isEmpty ? 0 : 490);
  }, [isFreeShipping, isEmpty]);

  useEffect(() => {
    setTax(Math.round((subtotal - discount + shipping) * 0.19));
  }, [subtotal, discount, shipping]);

  useEffect(() => {
    setTotal(subtotal - discount + shipping + tax);
  }, [subtotal, discount, shipping, tax]);

  useEffect(() => {
    setIsDirty(true);
  }, [lines, code]);

  return { lines, setLines, code, setCode, subtotal, discount, shipping, tax, total, itemCount, isEmpty, isDirty };
}
`;

const AFTER = `import { useMemo, useReducer } from 'react';
import type { CartLine, Code } from './types';

interface Cart {
  lines: CartLine[];
  code: Code | null;
  isDirty: boolean;
}

type Action =
  | { type: 'add'; line: CartLine }
  | { type: 'remove'; id: string }
  | { type: 'quantity'; id: string; quantity: number }
  | { type: 'code'; code: Code | null };

export function useCart(initial: CartLine[]) {
  const [cart, dispatch] = useReducer(reduce, { lines: initial, code: null, isDirty: false });
  const totals = useMemo(() => totalsOf(cart), [cart]);
  return { ...cart, ...totals, dispatch };
}

function reduce(cart: Cart, action: Action): Cart {
  switch (action.type) {
    case 'add':
      return { ...cart, lines: [...cart.lines, action.line], isDirty: true };
    case 'remove':
      return { ...cart, lines: cart.lines.filter((line) => line.id !== action.id), isDirty: true };
    case 'quantity':
      return { ...cart, lines: cart.lines.map((line) => (line.id === action.id ? { ...line, quantity: action.quantity } : line)), isDirty: true };
    case 'code':
      return { ...cart, code: action.code, isDirty: true };
  }
}

export function totalsOf({ lines, code }: Pick<Cart, 'lines' | 'code'>) {
  const subtotal = lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const discount = code ? Math.round(subtotal * code.rate) : 0;
  const isEmpty = lines.length === 0;
  const shipping = isEmpty || subtotal - discount >= 5000 ? 0 : 490;
  const tax = Math.round((subtotal - discount + shipping) * 0.19);
  return {
    subtotal,
    discount,
    shipping,
    tax,
    total: subtotal - discount + shipping + tax,
    itemCount: lines.reduce((sum, line) => sum + line.quantity, 0),
    isEmpty,
  };
}
`;
