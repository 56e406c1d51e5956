# SPDX-License-Identifier: GPL-2.0-only
#
# Manual pages, and what `make install` puts below $(DESTDIR)$(PREFIX) and `make uninstall` takes away again.

MAN_PAGES := $(shell awk '$$2 ~ /^[0-9]$$/ { print "topstacks" ($$1 == "topstacks.1" ? "" : "-" $$1) "." $$2 }' docs/pages)
LOWDOWN   := $(shell command -v lowdown 2>/dev/null)

# Where pages are to be had: made here, or ready made in a release, or nowhere.
MAN_DIR := $(if $(LOWDOWN),build/man,$(if $(wildcard man/topstacks.1),man))

.PHONY: man install install-completions install-fleet uninstall

man: $(MAN_PAGES:%=build/man/%)

# A page may refer to any other, by the section that it is in.
$(MAN_PAGES:%=build/man/%): build/man/%: $(wildcard docs/*.md scripts/man/*) docs/pages $(firstword $(MAKEFILE_LIST))
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D)
	$(call need,lowdown,lowdown)
	$(Q)scripts/man/page --version $(VERSION) $* > $@

# SOURCE:PLACE:MODE, the place below $(PREFIX). What else is to be installed is one more word here.
page_word = $(MAN_DIR)/$1:share/man/man$(subst .,,$(suffix $1))/$1:644
FLEET_PAGES := $(filter topstacks-push.%,$(MAN_PAGES))
INSTALLED_PAGES := $(foreach page,$(filter-out $(FLEET_PAGES),$(MAN_PAGES)),$(call page_word,$(page)))
INSTALLED += $(PROGRAM):bin/topstacks:755 LICENSE:share/doc/topstacks/LICENSE:644

# topstacks looks for it beside the directory that it is in. It is loaded, not executed.
INSTALLED += $(PRELOAD):lib/topstacks/$(notdir $(PRELOAD)):644

# Systemd looks for units below /usr/lib, /usr/local/lib and /etc.
UNIT := build/topstacks-record.service
INSTALLED += $(UNIT):lib/systemd/system/$(notdir $(UNIT)):644

# The programs that speak to networks are installed by themselves, with what starts them: sampling
# needs none of their libraries.
FLEET_UNITS := build/topstacks-serve.service build/topstacks-push.service
INSTALLED_FLEET := $(BUILD)/topstacks-front:libexec/topstacks/topstacks-front:755 $(BUILD)/topstacks-push:bin/topstacks-push:755 \
	     $(foreach unit,$(FLEET_UNITS),$(unit):lib/systemd/system/$(notdir $(unit)):644) \
	     dist/sysusers.d/topstacks-fleet.conf:lib/sysusers.d/topstacks-fleet.conf:644
INSTALLED_FLEET_PAGES := $(foreach page,$(FLEET_PAGES),$(call page_word,$(page)))

# Completions stand where shells look for them. Debian's zsh has a place of its own for packages.
ZSH_DIR ?= $(if $(and $(filter /usr,$(PREFIX)),$(wildcard /etc/debian_version)),vendor-completions,site-functions)
INSTALLED_COMPLETIONS := $(addprefix user/completion/shells/topstacks.,bash:share/bash-completion/completions/topstacks:644 \
	     zsh:share/zsh/$(ZSH_DIR)/_topstacks:644 fish:share/fish/vendor_completions.d/topstacks.fish:644)
INSTALLED += $(INSTALLED_COMPLETIONS)

part = $(word $1,$(subst :, ,$2))
define install_file
install -D -m $(call part,3,$1) $(call part,1,$1) "$(DESTDIR)$(PREFIX)/$(call part,2,$1)"

endef
define uninstall_file
rm -f "$(DESTDIR)$(PREFIX)/$(call part,2,$1)"

endef

# Anew each time: the prefix may be another one.
.PHONY: $(UNIT) $(FLEET_UNITS)
$(UNIT) $(FLEET_UNITS): build/%: dist/systemd/%.in
	$(Q)mkdir -p $(@D)
	$(Q)sed 's|@PREFIX@|$(PREFIX)|' $< >$@

# The list is read when the rule is run, so that files which are included later may add to it.
install: all $(UNIT) $(if $(LOWDOWN),man)
	$(foreach file,$(INSTALLED) $(if $(MAN_DIR),$(INSTALLED_PAGES)),$(call install_file,$(file)))
	$(if $(MAN_DIR),,@echo 'make: the manual pages are left out, as lowdown, which makes them, is missing: apt-get install lowdown')

install-completions:
	$(foreach file,$(INSTALLED_COMPLETIONS),$(call install_file,$(file)))

install-fleet: fleet $(FLEET_UNITS) $(if $(LOWDOWN),man)
	$(foreach file,$(INSTALLED_FLEET) $(if $(MAN_DIR),$(INSTALLED_FLEET_PAGES)),$(call install_file,$(file)))

# Directories that other programs have, too, stay.
uninstall:
	$(foreach file,$(INSTALLED) $(INSTALLED_PAGES) $(INSTALLED_FLEET) $(INSTALLED_FLEET_PAGES),$(call uninstall_file,$(file)))
	rmdir "$(DESTDIR)$(PREFIX)/lib/topstacks" 2>/dev/null || :
	rmdir "$(DESTDIR)$(PREFIX)/libexec/topstacks" 2>/dev/null || :
	rmdir "$(DESTDIR)$(PREFIX)/share/doc/topstacks" 2>/dev/null || :
