import { RouterProvider } from '@tanstack/react-router';
import { RoleProvider } from '../access/role-provider.tsx';
import { SignInPage } from '../access/sign-in-page.tsx';
import { useLive, usePhase } from '../live/live.ts';
import { router } from './router.tsx';

export function App() {
  const { connection } = useLive();
  return usePhase().name === 'signed_out' ? (
    <SignInPage onSignedIn={connection.start} />
  ) : (
    <RoleProvider>
      <RouterProvider router={router} />
    </RoleProvider>
  );
}
