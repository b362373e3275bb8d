// SPDX-License-Identifier: MIT
import type { ReactNode } from "react";

export const metadata = { title: "An agent behind a route" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
