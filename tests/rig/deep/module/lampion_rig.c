// SPDX-License-Identifier: GPL-2.0-only
/* An I2C and an SPI adapter of the kernel whose wires end in a program: /dev/i2c-1 and
 * /dev/spidev0.0 are the kernel's own, and what would leave the pins is read from /dev/rig-i2c and
 * /dev/rig-spi, where whoever has them open writes what comes back.
 *
 * Each question is a struct question and `size` bytes, each answer an int32 errno and a uint32 size
 * with so many bytes. Kinds: 'c' I2C messages up to a stop (each a struct part and, if it is a
 * write, its bytes; `value` is the adapter's time-out in ms; the answer is what the reads gave),
 * 'm' an SPI message (`value` is its clock in Hz).
 */
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define ROOM (64 << 10)
#define PATIENCE (20 * HZ) /* for a program that says nothing at all */

struct question {
	u8 kind, unused[3];
	u32 value, size;
};

struct part {
	u8 address, reads;
	u16 length;
};

struct answer {
	s32 error;
	u32 size;
};

/* One question at a time: `out` is read as a stream, then the answer is written to `in`. */
struct wire {
	struct miscdevice device;
	struct mutex turn;
	spinlock_t lock;
	wait_queue_head_t changed;
	u8 *out, *in;
	size_t out_size, out_at, in_size;
	bool open, asking;
};

static struct wire i2c_wire, spi_wire;
static struct platform_device *parent;
static struct spi_controller *spi;

static bool answered(struct wire *w)
{
	struct answer *a = (void *)w->in;

	return !w->open || (w->in_size >= sizeof(*a) && w->in_size >= sizeof(*a) + a->size);
}

/* Ask what stands in `out` behind the question; returns the size of the answer, which is in `in`. */
static int ask(struct wire *w, u8 kind, u32 value, u32 size)
{
	struct question q = { .kind = kind, .value = value, .size = size };
	struct answer *a = (void *)w->in;
	int done;

	if (!w->open)
		return -ENXIO;
	memcpy(w->out, &q, sizeof(q));
	spin_lock(&w->lock);
	w->out_size = sizeof(q) + size;
	w->out_at = w->in_size = 0;
	w->asking = true;
	spin_unlock(&w->lock);
	wake_up_all(&w->changed);
	done = wait_event_timeout(w->changed, answered(w), PATIENCE);
	spin_lock(&w->lock);
	w->asking = false;
	spin_unlock(&w->lock);
	if (!done || !w->open)
		return -ETIMEDOUT;
	return a->error ? -a->error : a->size;
}

static struct wire *of(struct file *file)
{
	return container_of(file->private_data, struct wire, device);
}

static int wire_open(struct inode *inode, struct file *file)
{
	struct wire *w = of(file);
	int error = 0;

	spin_lock(&w->lock);
	if (w->open)
		error = -EBUSY;
	else
		w->open = true;
	w->out_size = w->out_at = 0;
	spin_unlock(&w->lock);
	return error;
}

static int wire_release(struct inode *inode, struct file *file)
{
	struct wire *w = of(file);

	w->open = false;
	wake_up_all(&w->changed);
	return 0;
}

static ssize_t wire_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct wire *w = of(file);

	if (wait_event_interruptible(w->changed, w->asking && w->out_at < w->out_size))
		return -ERESTARTSYS;
	size = min(size, w->out_size - w->out_at);
	if (copy_to_user(to, w->out + w->out_at, size))
		return -EFAULT;
	w->out_at += size;
	return size;
}

static ssize_t wire_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	struct wire *w = of(file);

	if (w->in_size + size > ROOM)
		return -ENOSPC;
	if (copy_from_user(w->in + w->in_size, from, size))
		return -EFAULT;
	w->in_size += size;
	wake_up_all(&w->changed);
	return size;
}

static const struct file_operations wire_calls = {
	.owner = THIS_MODULE,
	.open = wire_open,
	.release = wire_release,
	.read = wire_read,
	.write = wire_write,
};

static int wire_make(struct wire *w, const char *name)
{
	mutex_init(&w->turn);
	spin_lock_init(&w->lock);
	init_waitqueue_head(&w->changed);
	w->out = vmalloc(ROOM);
	w->in = vmalloc(ROOM);
	if (!w->out || !w->in)
		return -ENOMEM;
	w->device = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR, .name = name, .fops = &wire_calls, .mode = 0600,
	};
	return misc_register(&w->device);
}

static int i2c_transfer_all(struct i2c_adapter *adapter, struct i2c_msg *parts, int count)
{
	struct wire *w = &i2c_wire;
	u8 *to, *from;
	int i, got, wanted = 0;

	mutex_lock(&w->turn);
	to = w->out + sizeof(struct question);
	for (i = 0; i < count; i++) {
		struct part p = { parts[i].addr, !!(parts[i].flags & I2C_M_RD), parts[i].len };

		if (to + sizeof(p) + p.length > w->out + ROOM) {
			mutex_unlock(&w->turn);
			return -EMSGSIZE;
		}
		memcpy(to, &p, sizeof(p));
		to += sizeof(p);
		if (p.reads) {
			wanted += p.length;
		} else {
			memcpy(to, parts[i].buf, p.length);
			to += p.length;
		}
	}
	got = ask(w, 'c', jiffies_to_msecs(adapter->timeout), to - w->out - sizeof(struct question));
	if (got >= 0 && got != wanted)
		got = -EPROTO;
	from = w->in + sizeof(struct answer);
	for (i = 0; got >= 0 && i < count; i++)
		if (parts[i].flags & I2C_M_RD) {
			memcpy(parts[i].buf, from, parts[i].len);
			from += parts[i].len;
		}
	mutex_unlock(&w->turn);
	return got < 0 ? got : count;
}

static u32 i2c_can(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm i2c_calls = {
	.master_xfer = i2c_transfer_all,
	.functionality = i2c_can,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.name = "lampion rig",
	.algo = &i2c_calls,
	.nr = 1,
};

static int spi_transfer(struct spi_controller *controller, struct spi_device *device,
			struct spi_transfer *t)
{
	struct wire *w = &spi_wire;
	int got = -EMSGSIZE;

	mutex_lock(&w->turn);
	if (t->tx_buf && sizeof(struct question) + t->len <= ROOM) {
		memcpy(w->out + sizeof(struct question), t->tx_buf, t->len);
		got = ask(w, 'm', t->speed_hz, t->len);
	}
	if (t->rx_buf)
		memset(t->rx_buf, 0, t->len);
	mutex_unlock(&w->turn);
	return min(got, 0);
}

static int spi_make(void)
{
	/* A name that the kernel's spidev takes; it has none for a light chain. */
	struct spi_board_info chain = { .modalias = "dh2228fv", .max_speed_hz = 125000000 };
	int error;

	spi = spi_alloc_master(&parent->dev, 0);
	if (!spi)
		return -ENOMEM;
	spi->bus_num = 0;
	spi->num_chipselect = 1;
	spi->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	spi->bits_per_word_mask = SPI_BPW_MASK(8);
	spi->max_speed_hz = 125000000;
	spi->min_speed_hz = 3800;
	spi->transfer_one = spi_transfer;
	error = spi_register_controller(spi);
	if (!error && !spi_new_device(spi, &chain))
		error = -ENODEV;
	return error;
}

/* What a Pi's firmware says of it: a Pi 4. */
static int show_model(struct seq_file *to, void *unused)
{
	return seq_write(to, "Raspberry Pi 4 Model B Rev 1.4", 31);
}

static int show_revision(struct seq_file *to, void *unused)
{
	return seq_write(to, "\x00\xc0\x31\x14", 4);
}

/* It stays as long as the machine runs: there is no exit. */
static int __init begin(void)
{
	int error = wire_make(&i2c_wire, "rig-i2c") ?: wire_make(&spi_wire, "rig-spi");

	if (error)
		return error;
	proc_mkdir("device-tree", NULL);
	proc_mkdir("device-tree/system", NULL);
	proc_create_single("device-tree/model", 0444, NULL, show_model);
	proc_create_single("device-tree/system/linux,revision", 0444, NULL, show_revision);
	parent = platform_device_register_simple("lampion-rig", 0, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	adapter.dev.parent = &parent->dev;
	return i2c_add_numbered_adapter(&adapter) ?: spi_make();
}
module_init(begin);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C and an SPI adapter whose wires end in a program");
