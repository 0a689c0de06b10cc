// decode is the only door to the decoder: coded units in, one picture out.
#include <stddef.h>
#include <stdint.h>
#include <libde265/de265.h>

// What is told of a picture, in 32-bit integers.
struct picture {
  int32_t width, height, chroma;
  int32_t matrix, full_range; // as the coded data say, or by default
  struct {
    const uint8_t *samples; // of 16 bits where bits are more than 8
    int32_t stride;         // in bytes
    int32_t width, height, bits;
  } planes[3];
};

// decode decodes NAL units, each of which follows its length in 4 bytes, and reports
// whether they made a picture. Nothing is given back: the instance ends with its picture.
__attribute__((export_name("decode"))) int decode(const uint8_t *in, int size, struct picture *out) {
  de265_decoder_context *d = de265_new_decoder();
  if (d == NULL)
    return 0;
  int units = 0;
  for (; size >= 4; units++) {
    uint32_t length = (uint32_t)in[0] << 24 | in[1] << 16 | in[2] << 8 | in[3];
    in += 4, size -= 4;
    if (length > (uint32_t)size || de265_push_NAL(d, in, length, 0, NULL) != DE265_OK)
      return 0;
    in += length, size -= length;
  }
  de265_flush_data(d);
  // Each step decodes a unit at least, or hands out what is left.
  const struct de265_image *image = NULL;
  int more = 1;
  for (int step = 0; image == NULL && more && step < units + 8; step++) {
    if (de265_decode(d, &more) != DE265_OK)
      break;
    image = de265_get_next_picture(d);
  }
  if (image == NULL)
    return 0;
  out->width = de265_get_image_width(image, 0);
  out->height = de265_get_image_height(image, 0);
  out->chroma = de265_get_chroma_format(image);
  out->matrix = de265_get_image_matrix_coefficients(image);
  out->full_range = de265_get_image_full_range_flag(image);
  for (int i = 0; i < (out->chroma == de265_chroma_mono ? 1 : 3); i++) {
    out->planes[i].samples = de265_get_image_plane(image, i, &out->planes[i].stride);
    out->planes[i].width = de265_get_image_width(image, i);
    out->planes[i].height = de265_get_image_height(image, i);
    out->planes[i].bits = de265_get_bits_per_pixel(image, i);
  }
  return 1;
}
