import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";

import { Button } from "./forms.tsx";
import { Problem } from "./states.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, wide }: DialogProps) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => open || onClose()}>
      <Modal className={wide ? "modal wide" : "modal"}>
        <AriaDialog className="dialog">
          <Heading slot="title" className="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface FormDialogProps extends DialogProps {
  action: string;
  look?: "primary" | "bad";
  /** Does it. The dialog stays open if the answer is false. */
  submit: () => Promise<unknown>;
  ready?: boolean;
}

/** A dialog that does something and closes once it is done. What was typed stays if it fails. */
export function FormDialog({ title, onClose, children, action, look = "primary", submit, ready = true }: FormDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    setError(undefined);
    try {
      if ((await submit()) !== false) onClose();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void send(event)} className="stack">
        {children}
        <Problem error={error} />
        <div className="actions">
          <Button onPress={onClose} look="quiet">Cancel</Button>
          <Button type="submit" look={look} busy={busy} isDisabled={!ready}>{action}</Button>
        </div>
      </form>
    </Dialog>
  );
}
