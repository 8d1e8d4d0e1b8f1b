# Which modules go together. Reads esbuild's metafile of the page, that of its modules one by one ($single), and $slugs, the
# companions' folders; answers with the modules of the chunks that scripts/bundle.sh makes, with what each module behind
# an import() imports first, and with what modules of the page's own export.
#
# esbuild makes a chunk for each set of entries that want the same modules, which would be one for nearly each
# module. What is behind an import() is never alone in a page, so it says what is there anyhow, and the sets become few.
# Neither which chunk a module of the page's own is in nor what that exports depends on a companion's screens: a change of
# one companion leaves the chunks of all others, and their addresses, as they are.

.inputs as $inputs
| ($single[0].outputs | [.[] | {key: .entryPoint, value: .exports}] | from_entries) as $exports
| ($inputs | map_values([.imports[] | {path, kind}])) as $imports
| def slug: split("/")[0] | select(IN($slugs[]));
def is_own: (split("/")[0] | IN($slugs[])) | not;
def reached(kinds): # by imports of these kinds, itself among them
    {queue: [.], seen: {(.): true}}
    | until(.queue == []; .queue[0] as $at
        | .queue |= .[1:]
        | reduce ($imports[$at][] | select(.kind | IN(kinds)).path) as $one (.;
            if .seen[$one] then . else .seen[$one] = true | .queue += [$one] end))
    | .seen | keys;
def statically: reached("import-statement");

[$imports[][] | select(.kind == "dynamic-import").path] | unique as $entries
# The sign-in is what a stranger waits for: it wants nothing beside what the page begins with.
| "pages/sign-in.js" as $signIn
| ([("main.js", $signIn) | statically[]] | unique | map(select(is_own and (IN("main.js", "build.js", $signIn) | not)))) as $shell
| if $entries - ($entries - $shell) != [] then
    error("import() of what the page begins with anyhow, import it as usual: \($entries - ($entries - $shell) | join(", "))")
  else . end
# What is not of single pages, and what that imports: they, and all companions, have it in common. What exports nothing
# does something.
| ($inputs | keys | map(select(is_own and (startswith("pages/") | not) and $exports[.] != [])) - $shell
    - ["build.js"]) as $elsewhere
| ([$elsewhere[] | ., $imports[.][].path | select(is_own) | statically[]] | unique | map(select($exports[.] != [])) - $shell)
    as $kit
| {
    shell: $shell,
    kit: $kit,
    # And what companions import beyond these.
    pinned: [$shell + $kit + [$imports | to_entries[] | select(.key | is_own | not).value[]
        | select(.kind == "import-statement").path | select(is_own)] | unique[]
        | {path: ., exports: $exports[.]} | select(.exports != [])],
    first: [$entries[] | . as $entry | {key: ., value: (["page-shell.js", ("page-kit.js" | select($entry != $signIn))]
        + [slug as $slug
            | "\($slug)/screens.js",
              ("\($slug)/all-screens.js" | select($inputs[.] and . != $entry
                  and ($entry | IN(($imports | "\($slug)/all-screens.js"
                      | reached("import-statement", "dynamic-import"))[]))))])}] | from_entries
}
