/// The part of ICU's data that the hub's release is linked with: see data.S.
