import {useMemo} from 'react'
import {formatBytes} from '../ui/figures.ts'
import styles from './image.module.css'
import {shortenName} from './readable.ts'
import {readPicture} from './read-picture.ts'

/** A picture that an agent saw: from its bytes alone, never from a URL. */
export function Picture({base64, alt}: {base64: string; alt: string}) {
  const picture = useMemo(() => readPicture(base64), [base64])
  const words = shortenName(alt)
  if (picture === undefined) return <p className={styles.notShown}>{words} (not shown)</p>
  const {mediaType, width, height, bytes} = picture
  return (
    <figure className={styles.picture}>
      <img
        src={`data:${mediaType};base64,${base64}`}
        alt={words}
        width={width}
        height={height}
        decoding="async"
        loading="lazy"
      />
      <figcaption>
        {mediaType.slice('image/'.length).toUpperCase()} · {width} × {height} · {formatBytes(bytes)}
      </figcaption>
    </figure>
  )
}
