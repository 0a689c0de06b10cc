import { type FormEvent, useEffect, useRef, useState } from "react";

import { say } from "../act.ts";
import { graphql } from "../api.ts";
import { Icon } from "../icons.tsx";
import { useMe } from "../me.ts";
import { jpegOf } from "../picture.ts";
import { go } from "../router.tsx";
import { client, explain, stoa } from "../server.ts";
import { Avatar, Head } from "../ui.tsx";

const Write = graphql(`
  mutation Write($postId: ID!, $text: String!) { addPost(postId: $postId, postType: TEXT_ONLY, text: $text, likesDisabled: false) { postId } }
`);

/** Posts a text, a picture, or both. */
export function ComposeScreen() {
  const me = useMe();
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState("");
  const [progress, setProgress] = useState<number | null>(null);
  const stopping = useRef<AbortController>(null);
  const postId = useRef(crypto.randomUUID()); // kept when tried again, so that nothing is posted twice

  useEffect(() => {
    if (!file) return setPreview("");
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  const post = async (event: FormEvent) => {
    event.preventDefault();
    setProgress(0);
    stopping.current = new AbortController();
    try {
      if (file) {
        const picture = await jpegOf(file);
        const wanted = { postId: postId.current, likesDisabled: false, ...(text.trim() && { text: text.trim() }) };
        await stoa.upload(wanted, picture, (sent, total) => setProgress(sent / total), stopping.current.signal);
      } else {
        const { error } = await client.mutation(Write, { postId: postId.current, text: text.trim() }).toPromise();
        if (error) throw error;
      }
      go("/", true);
    } catch (error) {
      if (!stopping.current.signal.aborted) say(explain(error));
      if (file) postId.current = crypto.randomUUID(); // the server takes the bytes of a post once
      setProgress(null);
    }
  };

  return (
    <main>
      <Head title="New post" back />
      <form className="compose" onSubmit={post}>
        <Avatar of={me} />
        <div className="fields">
          <textarea
            aria-label="Text" placeholder="What do you want to show?" rows={4} value={text} autoFocus
            onChange={(event) => setText(event.target.value)}
          />
          {preview && (
            <div className="preview">
              <img src={preview} alt="The picture to post" />
              <button type="button" className="round" aria-label="Remove the picture" onClick={() => setFile(null)}><Icon name="close" /></button>
            </div>
          )}
          {progress !== null && file && <progress aria-label="Upload" value={progress} />}
          <div className="row">
            {progress === null && (
              <label className="quiet button">
                <Icon name="picture" /> Picture
                <input type="file" accept="image/*" className="hidden" onChange={(event) => setFile(event.target.files?.[0] ?? null)} />
              </label>
            )}
            {progress !== null && file && <button type="button" className="quiet" onClick={() => stopping.current?.abort()}>Stop</button>}
            <button className="primary" disabled={progress !== null || (!text.trim() && !file)}>
              {progress === null ? "Post" : file ? `${Math.round(progress * 100)} %` : "Posting"}
            </button>
          </div>
        </div>
      </form>
    </main>
  );
}
