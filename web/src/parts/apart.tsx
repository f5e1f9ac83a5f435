import { Component, type ReactNode } from 'react';

interface ApartProps {
  readonly children: ReactNode;
}

/** What stands beside the page: where it breaks, as where a deployment has taken its file, it is gone alone and the page stays. */
export class Apart extends Component<ApartProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children;
  }
}
