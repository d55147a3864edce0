"""Makes the photo album of the example: photos/*.jpg, samples.csv and labels/*.parquet.

    python make_album.py SOURCE_DIR

SOURCE_DIR holds the original pictures under the names used in ORIGINALS below; SOURCES.md says where
each comes from and under which terms. The crops are drawn from a fixed seed, so a second run makes
the same album. Needs Pillow, numpy and pyarrow.
"""

import csv
import json
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

HERE = pathlib.Path(__file__).parent
CLASS_NAMES = HERE.parent.parent / "src/main/resources/io/millrace/examples/classify/imagenet_names.json"
SEED = 20261130
QUALITY = 88
LONGEST_SIDE_PIXELS = 900
EXIF_ORIENTATION = 0x0112

# name, source file, setting, weather, caption, subject, accepted ImageNet classes, number of crops
ORIGINALS = [
    ("coffee", "coffee.png", "indoors", None, "A cup of espresso on a wooden table", "coffee", [967, 968, 504], 4),
    ("chelsea", "chelsea.png", "indoors", None, "A tabby cat looks past the camera", "cat", [281, 282, 285], 4),
    ("wikkie", "wikkie.png", "indoors", None, "A tortoiseshell cat with a white paw", "cat", [281, 282, 283, 284, 285], 3),
    ("astronaut", "astronaut.png", "indoors", None, "An astronaut in an orange suit with her helmet", "person", None, 1),
    ("clock", "clock_motion.png", "indoors", None, "A clock face blurred by motion", "clock", None, 0),
    ("camera", "camera.png", "outdoors", "clear", "A man looks through a camera on a tripod", "person", [872], 1),
    ("rocket", "rocket.jpg", "outdoors", "clear", "A rocket on its launch pad at dusk", "rocket", [657, 744], 2),
    ("raccoon", "raccoon.png", "outdoors", None, "A raccoon among green leaves", "raccoon", None, 2),
    ("dandelion", "seeding.jpg", "outdoors", "clear", "Dandelion clocks in a meadow in low sun", "flower", None, 2),
    ("brick", "brick.png", "outdoors", None, "A brick wall, seen close", "texture", None, 0),
    ("grass", "grass.png", "outdoors", None, "Short grass, seen from above", "texture", None, 0),
    ("gravel", "gravel.png", "outdoors", None, "Gravel, seen from above", "texture", None, 0),
    ("hubble", "hubble_deep_field.jpg", "space", None, "Galaxies in the Hubble eXtreme Deep Field", "galaxies", None, 1),
    ("retina", "retina.jpg", "laboratory", None, "The retina of a healthy left eye", "retina", None, 1),
]
# Photos whose stored pixels are turned, with the EXIF orientation that turns them back.
ROTATED = {"coffee-2": 6, "chelsea-3": 3, "rocket-1": 8}
STORED_AS = {6: Image.Transpose.ROTATE_90, 3: Image.Transpose.ROTATE_180, 8: Image.Transpose.ROTATE_270}
# Samples that nobody has labelled: the join drops them.
UNLABELLED = {"clock", "astronaut-1", "wikkie-3", "brick", "grass"}


def save(name, picture):
    exif = Image.Exif()
    if name in ROTATED:
        exif[EXIF_ORIENTATION] = ROTATED[name]
        picture = picture.transpose(STORED_AS[ROTATED[name]])
    picture.save(HERE / "photos" / f"{name}.jpg", quality=QUALITY, exif=exif)


def crop(picture, random):
    """A window of 75 to 95 percent of each side, mirrored half of the time."""
    width = int(picture.width * random.uniform(0.75, 0.95))
    height = int(picture.height * random.uniform(0.75, 0.95))
    left = int(random.integers(0, picture.width - width + 1))
    top = int(random.integers(0, picture.height - height + 1))
    window = picture.crop((left, top, left + width, top + height))
    return window.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if random.random() < 0.5 else window


def main(source_dir):
    random = np.random.default_rng(SEED)
    (HERE / "photos").mkdir(exist_ok=True)
    (HERE / "labels").mkdir(exist_ok=True)
    names = json.loads(CLASS_NAMES.read_text())
    samples, labels = [], []
    for name, file, setting, weather, caption, subject, classes, crop_count in ORIGINALS:
        picture = Image.open(pathlib.Path(source_dir) / file).convert("RGB")
        picture.thumbnail((LONGEST_SIDE_PIXELS, LONGEST_SIDE_PIXELS), Image.Resampling.LANCZOS)
        views = [(name, picture, caption)]
        views += [(f"{name}-{i}", crop(picture, random), f"{caption} (detail {i})") for i in range(1, crop_count + 1)]
        for sample, view, text in views:
            save(sample, view)
            sample_id = 1001 + len(samples)
            samples.append([sample_id, f"{sample}.jpg", text, setting, weather])
            if sample not in UNLABELLED:
                labels.append({"sample_id": sample_id, "subject": subject, "accepted_labels": classes and [names[c] for c in classes]})
    with open(HERE / "samples.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["sample_id", "file_name", "caption", "setting", "weather"])
        writer.writerows(samples)
    schema = pa.schema([
        pa.field("sample_id", pa.int64(), nullable=False),
        pa.field("subject", pa.string(), nullable=False),
        pa.field("accepted_labels", pa.list_(pa.string())),
    ])
    half = len(labels) // 2
    for i, part in enumerate([labels[:half], labels[half:]]):
        pq.write_table(pa.Table.from_pylist(part, schema), HERE / "labels" / f"labels-{i}.parquet", compression="zstd")
    print(len(samples), "samples,", len(labels), "labels")


if __name__ == "__main__":
    main(sys.argv[1])
