// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_device - map a register whose read has a side effect
 *
 * The device is the network card e1000, which QEMU has for all machines.  No driver needs to
 * know the card.  Its register ICR has the causes of interrupts, and a read clears ICR.
 * Interrupts stay masked.  Parameters:
 *
 *   map	written: uc, wc or wb map the register uncached, for write-combining or
 *		cached
 *   register	read: the address of ICR in that mapping
 *   pointer	read: the address of a pointer to ICR
 *   causes	written: 1 sets a cause; read: the number in ICR, which is 0 afterwards
 */
#include <linux/errno.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#define OTD_CARD	0x100e	/* 82540EM */
#define OTD_ICR		0xc0
#define OTD_ICS		0xc8
#define OTD_CAUSE	0x4	/* link status change */
#define OTD_SIZE	PAGE_SIZE

static struct pci_dev *otd_card;
static void __iomem *otd_registers;	/* uncached, for the module itself */
static void __iomem *otd_mapped;	/* for the tests, or NULL */
static bool otd_is_memremap;
static void __iomem *otd_pointer;	/* to ICR in that mapping */

static phys_addr_t otd_start(void)
{
	return pci_resource_start(otd_card, 0);
}

static void otd_unmap(void)
{
	if (otd_is_memremap)
		memunmap((__force void *)otd_mapped);
	else if (otd_mapped)
		iounmap(otd_mapped);
	otd_is_memremap = false;
	otd_mapped = NULL;
	if (otd_registers)
		iounmap(otd_registers);
	otd_registers = NULL;
}

/* x86 allows one type for a page at a time: the module's own mapping comes when it is used */
static int otd_map(const char *type)
{
	otd_unmap();
	if (sysfs_streq(type, "uc")) {
		otd_mapped = ioremap(otd_start(), OTD_SIZE);
	} else if (sysfs_streq(type, "wc")) {
		otd_mapped = ioremap_wc(otd_start(), OTD_SIZE);
	} else if (sysfs_streq(type, "wb")) {
		otd_mapped = (__force void __iomem *)memremap(otd_start(), OTD_SIZE,
							      MEMREMAP_WB);
		otd_is_memremap = otd_mapped;
	} else {
		return -EINVAL;
	}
	otd_pointer = otd_mapped + OTD_ICR;
	return otd_mapped ? 0 : -ENOMEM;
}

static int otd_map_set(const char *val, const struct kernel_param *kp)
{
	return otd_card ? otd_map(val) : -ENODEV;
}

static const struct kernel_param_ops otd_map_ops = { .set = otd_map_set };
module_param_cb(map, &otd_map_ops, NULL, 0200);
MODULE_PARM_DESC(map, "map the register: uc, wc or wb");

static int otd_register_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "0x%lx\n", (unsigned long)otd_pointer);
}

static const struct kernel_param_ops otd_register_ops = { .get = otd_register_get };
module_param_cb(register, &otd_register_ops, NULL, 0400);
MODULE_PARM_DESC(register, "address of the register");

static int otd_pointer_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "0x%lx\n", (unsigned long)&otd_pointer);
}

static const struct kernel_param_ops otd_pointer_ops = { .get = otd_pointer_get };
module_param_cb(pointer, &otd_pointer_ops, NULL, 0400);
MODULE_PARM_DESC(pointer, "address of a pointer to the register");

/* With no other mapping left */
static bool otd_open(void)
{
	otd_unmap();
	otd_registers = ioremap(otd_start(), OTD_SIZE);
	return otd_registers;
}

static int otd_causes_set(const char *val, const struct kernel_param *kp)
{
	if (!otd_card || !sysfs_streq(val, "1"))
		return -EINVAL;
	if (!otd_open())
		return -ENOMEM;
	writel(OTD_CAUSE, otd_registers + OTD_ICS);
	return 0;
}

static int otd_causes_get(char *buf, const struct kernel_param *kp)
{
	if (!otd_card || !otd_open())
		return -ENOMEM;
	return sysfs_emit(buf, "0x%x\n", readl(otd_registers + OTD_ICR) & OTD_CAUSE);
}

static const struct kernel_param_ops otd_causes_ops = {
	.set	= otd_causes_set,
	.get	= otd_causes_get,
};
module_param_cb(causes, &otd_causes_ops, NULL, 0600);
MODULE_PARM_DESC(causes, "set a cause, or read and clear all");

static int __init otd_init(void)
{
	struct pci_dev *card = pci_get_device(PCI_VENDOR_ID_INTEL, OTD_CARD, NULL);
	int ret;

	if (!card)
		return -ENODEV;
	ret = pci_enable_device_mem(card);
	if (ret) {
		pci_dev_put(card);
		return ret;
	}
	otd_card = card;
	return 0;
}

static void __exit otd_exit(void)
{
	otd_unmap();
	pci_disable_device(otd_card);
	pci_dev_put(otd_card);
}

module_init(otd_init);
module_exit(otd_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Map a register whose read has a side effect");
MODULE_INFO(test, "Y");
