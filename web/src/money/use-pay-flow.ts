import { useRef, useState } from 'react';
import { keptOf, type PayEvent, type PayState, payStep, stateOfKept } from './pay-flow.ts';

interface PayFlow {
  readonly state: PayState;
  /** Goes on, and has it kept before it returns: what goes out next is kept already. */
  readonly step: (event: PayEvent) => void;
  /** Drops what was kept, but for what may be done. */
  readonly forget: () => void;
}

/** Where a request to pay stands, kept by the browser under a name until its answer is final. */
export function usePayFlow(name: string, owner: string, begin: () => PayState): PayFlow {
  const [state, setState] = useState<PayState>(() => stateOfKept(sessionStorage.getItem(name), owner) ?? begin());
  // Steps of a sending follow each other without a render between them.
  const now = useRef(state);
  const step = (event: PayEvent) => {
    now.current = payStep(now.current, event);
    const kept = keptOf(now.current, owner);
    if (kept === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, kept);
    setState(now.current);
  };
  const forget = () => {
    if (now.current.at !== 'review' || !now.current.mayBeDone) sessionStorage.removeItem(name);
  };
  return { state, step, forget };
}
