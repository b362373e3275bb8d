// SPDX-License-Identifier: MIT
// Implements graph.h: builds a frozen graph from a definition. Numbers the names and turns edges
// into trigger channels.
#include <string.h>

#include "base/sort.h"
#include "graph.h"
#include "value/tape.h"

typedef struct weft_definer {
    weft_graph *graph;
    weft_graph_error *error;
    const weft_document_node *root;
} definer;

static weft_log_text lit(const char *text) {
    return (weft_log_text){(const uint8_t *)text, (uint32_t)strlen(text)};
}

static weft_status bad(definer *d, const char *what) {
    d->error->words[0] = lit(what);
    d->error->count = 1;
    return WEFT_ERR_BAD_DEFINITION;
}

static weft_log_text concat(weft_arena *arena, const weft_log_text *parts, uint32_t count) {
    weft_log_text text = {NULL, 0};
    for (uint32_t i = 0; i < count; i++) {
        text.length += parts[i].length;
    }
    uint8_t *bytes = weft_arena_alloc(arena, text.length + 1u);
    if (bytes == NULL) {
        return text;
    }
    text.bytes = bytes;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(bytes, parts[i].bytes, parts[i].length);
        bytes += parts[i].length;
    }
    return text;
}

// Gives the name, which must be unique, its number; `json` becomes the name as JSON.stringify
// prints it.
static weft_status add_name(definer *d, weft_map *names, weft_log_text name, uint32_t number,
                            weft_log_text *json) {
    uint32_t other;
    if (weft_map_get(names, name.bytes, name.length, &other)) {
        return bad(d, "two channels or nodes have the same name");
    }
    weft_buffer out;
    weft_buffer_init(&out, d->graph->memory);
    weft_json_write_string(name.bytes, name.length, &out);
    if (out.status == WEFT_OK) {
        *json = concat(&d->graph->arena, &(weft_log_text){out.bytes, out.length}, 1);
    }
    weft_buffer_fini(&out);
    return json->bytes == NULL ? WEFT_ERR_NO_MEMORY
                               : weft_map_set(names, name.bytes, name.length, number);
}

// The kinds' words in graph definitions, each NUL-terminated.
static const char KINDS[] =
#define X(name, word) word "\0"
#include "channel/kinds.def"
#undef X
    ;

static weft_status add_channel(definer *d, weft_log_text name, weft_channel_kind kind,
                               uint32_t number) {
    weft_graph *graph = d->graph;
    if (name.bytes == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    graph->channels[number].name = name;
    graph->channels[number].rule.kind = kind;
    return add_name(d, &graph->channel_names, name, number, &graph->channels[number].json);
}

static weft_status read_channel(definer *d, const weft_document_node *item, uint32_t number) {
    const char *kind = weft_document_string(weft_document_get(item, "kind"), NULL);
    weft_log_text name = weft_graph_text(weft_document_get(item, "name"));
    weft_channel_rule *rule = &d->graph->channels[number].rule;
    const weft_document_node *guard = weft_document_get(item, "guard");
    uint32_t found = 0;
    for (const char *known = KINDS; kind != NULL && strcmp(known, kind) != 0;
         known += strlen(known) + 1) {
        kind = ++found == WEFT_CHANNEL_TASKS ? NULL : kind;
    }
    if (kind == NULL || *kind == '\0' || name.bytes == NULL) {
        return bad(d, "a channel has no name or an unknown kind");
    }
    d->graph->host_count += found == WEFT_CHANNEL_HOST;
    d->graph->untracked_count += found == WEFT_CHANNEL_UNTRACKED;
    rule->has_default = (uint8_t)weft_document_true(weft_document_get(item, "default"));
    rule->guard = (uint8_t)(guard == NULL || weft_document_true(guard));
    rule->accumulate = (uint8_t)weft_document_true(weft_document_get(item, "accumulate"));
    return add_channel(d, name, (weft_channel_kind)found, number);
}

static weft_status read_channels(definer *d, const weft_document_node *list) {
    uint32_t number = 0;
    for (const weft_document_node *item = weft_document_first(list); item != NULL;
         item = weft_document_next(item)) {
        WEFT_TRY(read_channel(d, item, number++));
    }
    return WEFT_OK;
}

static weft_status name_node(definer *d, weft_log_text name, uint32_t number) {
    weft_graph *graph = d->graph;
    weft_node *node = &graph->nodes[number];
    if (name.bytes == NULL) {
        return bad(d, "a node needs a name");
    }
    node->name = name;
    return add_name(d, &graph->node_names, name, number, &node->json);
}

static weft_status add_node(definer *d, weft_log_text name, uint32_t number, int defer) {
    weft_graph *graph = d->graph;
    weft_node *node = &graph->nodes[number];
    WEFT_TRY(name_node(d, name, number));
    node->defer = (uint8_t)defer;
    if (number == 0) {
        node->channel = graph->user_channels;
        return add_channel(d, lit("__start__"), WEFT_CHANNEL_EPHEMERAL, node->channel);
    }
    weft_log_text parts[2] = {lit("branch:to:"), name};
    node->channel = graph->user_channels + number;
    return add_channel(d, concat(&graph->arena, parts, 2),
                       defer ? WEFT_CHANNEL_LAST_AFTER_FINISH : WEFT_CHANNEL_EPHEMERAL,
                       node->channel);
}

static weft_status read_numbers(definer *d, const weft_document_node *names, uint32_t **numbers,
                                uint32_t *count) {
    *numbers =
        weft_arena_zeroed(&d->graph->arena, weft_document_size(names) + 1u, sizeof(uint32_t));
    if (*numbers == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (const weft_document_node *item = weft_document_first(names); item != NULL;
         item = weft_document_next(item)) {
        uint32_t channel = weft_graph_channel(d->graph, weft_graph_text(item));
        if (channel == WEFT_GRAPH_NONE) {
            return bad(d, "a channel that does not exist is named");
        }
        (*numbers)[(*count)++] = channel;
    }
    return WEFT_OK;
}

// Reads the nodes of a low-level graph, which declare their own triggers. Number 0 is a node
// without triggers.
static weft_status read_low_level(definer *d, const weft_document_node *list) {
    weft_graph *graph = d->graph;
    uint32_t number = 0;
    graph->nodes[0].name = graph->nodes[0].json = lit("");
    graph->seen_count = 1;
    for (const weft_document_node *item = weft_document_first(list); item != NULL;
         item = weft_document_next(item)) {
        weft_node *node = &graph->nodes[++number];
        WEFT_TRY(name_node(d, weft_graph_text(weft_document_get(item, "name")), number));
        WEFT_TRY(read_numbers(d, weft_document_get(item, "triggers"), &node->triggers,
                              &node->trigger_count));
        WEFT_TRY(
            read_numbers(d, weft_document_get(item, "reads"), &node->reads, &node->read_count));
        node->cached = (uint8_t)weft_document_true(weft_document_get(item, "cache"));
        node->reads_all = (uint8_t)weft_document_true(weft_document_get(item, "all"));
        node->first_seen = graph->seen_count;
        graph->seen_count += node->trigger_count + 1;
    }
    const weft_document_node *start = weft_document_get(d->root, "inputNode");
    graph->input_node = start == NULL ? WEFT_GRAPH_NONE : weft_graph_named(graph, start);
    return WEFT_OK;
}

static weft_status read_nodes(definer *d, const weft_document_node *list) {
    WEFT_TRY(add_node(d, lit("__start__"), 0, 0));
    d->graph->channels[d->graph->user_channels].rule.guard = 1;
    uint32_t number = 1;
    for (const weft_document_node *item = weft_document_first(list); item != NULL;
         item = weft_document_next(item)) {
        d->graph->nodes[number].cached =
            (uint8_t)weft_document_true(weft_document_get(item, "cache"));
        WEFT_TRY(add_node(d, weft_graph_text(weft_document_get(item, "name")), number++,
                          weft_document_true(weft_document_get(item, "defer"))));
    }
    return WEFT_OK;
}

// Names a join's channel after its sources: join:a+b:target.
static weft_status name_join(definer *d, weft_join *join, const weft_document_node *sources,
                             uint32_t number) {
    weft_graph *graph = d->graph;
    weft_log_text *parts =
        weft_arena_zeroed(&graph->arena, join->source_count * 2u + 2u, sizeof(*parts));
    if (parts == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    parts[count++] = lit("join:");
    for (const weft_document_node *item = weft_document_first(sources); item != NULL;
         item = weft_document_next(item)) {
        if (count > 1) {
            parts[count++] = lit("+");
        }
        parts[count++] = weft_graph_text(item);
    }
    parts[count++] = lit(":");
    parts[count++] = graph->nodes[join->target].name;
    join->channel = graph->user_channels + graph->node_count + number;
    graph->channels[join->channel].join = number;
    graph->channels[join->channel].rule.names = join->source_count;
    return add_channel(d, concat(&graph->arena, parts, count),
                       graph->nodes[join->target].defer ? WEFT_CHANNEL_BARRIER_AFTER_FINISH
                                                        : WEFT_CHANNEL_BARRIER,
                       join->channel);
}

static weft_status read_joins(definer *d, const weft_document_node *list) {
    weft_graph *graph = d->graph;
    uint32_t number = 0;
    for (const weft_document_node *item = weft_document_first(list); item != NULL;
         item = weft_document_next(item)) {
        const weft_document_node *sources = weft_document_first(item);
        weft_join *join = &graph->joins[number];
        join->source_count = weft_document_size(sources);
        join->sources = weft_arena_zeroed(&graph->arena, join->source_count + 1u, sizeof(uint32_t));
        if (join->sources == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        join->target = weft_graph_named(graph, weft_document_next(sources));
        if (join->source_count == 0 || join->target == WEFT_GRAPH_NONE) {
            return bad(d, "a join needs sources and ends at a node");
        }
        uint32_t at = 0;
        for (const weft_document_node *s = weft_document_first(sources); s != NULL;
             s = weft_document_next(s)) {
            uint32_t source = weft_graph_named(graph, s);
            join->sources[at++] = source;
            graph->nodes[source].join_count++;
        }
        graph->nodes[join->target].trigger_count++;
        WEFT_TRY(name_join(d, join, sources, number++));
    }
    return WEFT_OK;
}

static weft_status read_branches(definer *d, const weft_document_node *list) {
    weft_graph *graph = d->graph;
    uint32_t number = 0;
    for (const weft_document_node *item = weft_document_first(list); item != NULL;
         item = weft_document_next(item)) {
        weft_branch *branch = &graph->branches[number++];
        const weft_document_node *ends = weft_document_get(item, "ends");
        branch->node = weft_graph_named(graph, weft_document_get(item, "from"));
        branch->mapped = weft_document_kind(ends) == WEFT_JSON_ARRAY;
        branch->end_count = branch->mapped ? weft_document_size(ends) : 0;
        branch->ends = weft_arena_zeroed(&graph->arena, branch->end_count + 1u, sizeof(uint32_t));
        if (branch->ends == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        uint32_t at = 0;
        for (const weft_document_node *e = weft_document_first(ends); e != NULL && branch->mapped;
             e = weft_document_next(e)) {
            branch->ends[at++] =
                weft_graph_named(graph, weft_document_next(weft_document_first(e)));
        }
    }
    return WEFT_OK;
}

// Drops duplicate edges. `marks`: per channel 1 + the last node with an edge to it.
static void drop_twice(weft_graph *graph, uint32_t *marks) {
    for (uint32_t i = 0; i < graph->node_count; i++) {
        weft_node *node = &graph->nodes[i];
        uint32_t kept = 0;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            uint32_t channel = node->edges[e];
            if (marks[channel] != i + 1) {
                marks[channel] = i + 1;
                node->edges[kept++] = channel;
            }
        }
        node->edge_count = kept;
    }
}

// Counts the edges to size the arrays, then fills them.
static weft_status read_edges(definer *d, const weft_document_node *list) {
    weft_graph *graph = d->graph;
    const weft_document_node *item;
    uint32_t *marks = weft_arena_zeroed(&graph->arena, graph->channel_count, sizeof(uint32_t));
    if (marks == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (item = weft_document_first(list); item != NULL; item = weft_document_next(item)) {
        graph->nodes[weft_graph_named(graph, weft_document_first(item))].edge_count++;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        weft_node *node = &graph->nodes[i];
        node->edges = weft_arena_zeroed(&graph->arena, node->edge_count + 1u, sizeof(uint32_t));
        node->edge_count = 0;
        if (node->edges == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
    }
    for (item = weft_document_first(list); item != NULL; item = weft_document_next(item)) {
        weft_node *node = &graph->nodes[weft_graph_named(graph, weft_document_first(item))];
        uint32_t target = weft_graph_named(graph, weft_document_next(weft_document_first(item)));
        if (target != WEFT_GRAPH_NONE) {
            node->edges[node->edge_count++] = graph->nodes[target].channel;
        }
    }
    drop_twice(graph, marks);
    return WEFT_OK;
}

// Lists the triggers of each node: its own channel, then its joins in order.
static weft_status place_triggers(weft_graph *graph) {
    graph->seen_count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        weft_node *node = &graph->nodes[i];
        node->triggers =
            weft_arena_zeroed(&graph->arena, node->trigger_count + 1u, sizeof(uint32_t));
        node->joins =
            weft_arena_zeroed(&graph->arena, node->join_count + 1u, sizeof(weft_node_join));
        if (node->triggers == NULL || node->joins == NULL) {
            return WEFT_ERR_NO_MEMORY;
        }
        node->first_seen = graph->seen_count;
        graph->seen_count += node->trigger_count + 1;
        node->triggers[0] = node->channel;
        node->trigger_count = 1;
        node->join_count = 0;
    }
    for (uint32_t i = 0; i < graph->join_count; i++) {
        weft_join *join = &graph->joins[i];
        weft_node *target = &graph->nodes[join->target];
        target->triggers[target->trigger_count++] = join->channel;
        for (uint32_t s = 0; s < join->source_count; s++) {
            weft_node *source = &graph->nodes[join->sources[s]];
            source->joins[source->join_count++] = (weft_node_join){join->channel, s};
        }
    }
    return WEFT_OK;
}

static weft_status index_triggers(weft_graph *graph) {
    graph->triggered = weft_arena_zeroed(&graph->arena, graph->seen_count + 1u, sizeof(uint32_t));
    if (graph->triggered == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t t = 0; t < graph->nodes[i].trigger_count; t++) {
            graph->channels[graph->nodes[i].triggers[t]].node_count++;
        }
    }
    uint32_t at = 0;
    for (uint32_t c = 0; c < graph->channel_count; c++) {
        graph->channels[c].first_node = at;
        at += graph->channels[c].node_count;
        graph->channels[c].node_count = 0;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t t = 0; t < graph->nodes[i].trigger_count; t++) {
            weft_channel_spec *spec = &graph->channels[graph->nodes[i].triggers[t]];
            graph->triggered[spec->first_node + spec->node_count++] = i;
        }
    }
    return WEFT_OK;
}

static int comes_before(const void *graph, uint32_t a, uint32_t b) {
    const weft_node *nodes = ((const weft_graph *)graph)->nodes;
    return weft_graph_compare(nodes[a].name, nodes[b].name) < 0;
}

static weft_status rank_nodes(weft_graph *graph) {
    uint32_t *order = weft_arena_zeroed(&graph->arena, graph->node_count, sizeof(uint32_t));
    if (order == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        order[i] = i;
    }
    weft_sort(order, graph->node_count, comes_before, graph);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        graph->nodes[order[i]].rank = i;
    }
    return WEFT_OK;
}

static void set_stops(definer *d, const weft_document_node *names, int after) {
    weft_graph *graph = d->graph;
    int all = weft_document_string(names, NULL) != NULL;
    const weft_document_node *item = all ? NULL : weft_document_first(names);
    for (uint32_t i = 1; i < graph->node_count && all; i++) {
        graph->nodes[i].after |= (uint8_t)after;
        graph->nodes[i].before |= (uint8_t)!after;
        graph->stops = 1;
    }
    for (; item != NULL; item = weft_document_next(item)) {
        uint32_t number = weft_graph_named(graph, item);
        if (number == WEFT_GRAPH_NONE) {
            continue;
        }
        weft_node *node = &graph->nodes[number];
        node->after |= (uint8_t)after;
        node->before |= (uint8_t)!after;
        graph->stops = 1;
    }
}

// Sets error handlers. With a handler every node counts as reachable, since a handler may go
// anywhere.
static weft_status set_handlers(definer *d, const weft_document_node *list, uint8_t *reached) {
    uint32_t number = 1;
    int some = 0;
    for (const weft_document_node *item = weft_document_first(list); item != NULL;
         item = weft_document_next(item)) {
        const weft_document_node *name = weft_document_get(item, "handler");
        uint32_t handler = name == NULL ? 0 : weft_graph_named(d->graph, name);
        if (handler == WEFT_GRAPH_NONE || handler == number) {
            return bad(d, "a handler is no other node");
        }
        d->graph->nodes[number++].handler = handler;
        some |= handler != 0;
    }
    memset(reached, some, d->graph->node_count);
    return WEFT_OK;
}

static weft_status set_outputs(definer *d, const weft_document_node *names) {
    for (const weft_document_node *item = weft_document_first(names); item != NULL;
         item = weft_document_next(item)) {
        uint32_t channel = weft_graph_channel(d->graph, weft_graph_text(item));
        if (channel == WEFT_GRAPH_NONE) {
            return bad(d, "a channel that does not exist is named");
        }
        d->graph->channels[channel].output = 1;
    }
    return WEFT_OK;
}

static weft_status size_graph(definer *d) {
    weft_graph *graph = d->graph;
    const weft_document_node *channels = weft_document_get(d->root, "channels");
    const weft_document_node *nodes = weft_document_get(d->root, "nodes");
    if (weft_document_kind(channels) != WEFT_JSON_ARRAY ||
        weft_document_kind(nodes) != WEFT_JSON_ARRAY) {
        return bad(d, "channels and nodes must be lists");
    }
    graph->user_channels = weft_document_size(channels);
    graph->node_count = weft_document_size(nodes) + 1;
    graph->input = weft_graph_text(weft_document_get(d->root, "input"));
    if (graph->input.bytes == NULL) {
        graph->join_count = weft_document_size(weft_document_get(d->root, "joins"));
        graph->branch_count = weft_document_size(weft_document_get(d->root, "branches"));
        graph->channel_count = graph->node_count + graph->join_count;
    }
    graph->channel_count += graph->user_channels + 1;
    graph->tasks_channel = graph->channel_count - 1;
    graph->channels =
        weft_arena_zeroed(&graph->arena, graph->channel_count, sizeof(weft_channel_spec));
    graph->nodes = weft_arena_zeroed(&graph->arena, graph->node_count, sizeof(weft_node));
    graph->joins = weft_arena_zeroed(&graph->arena, graph->join_count + 1u, sizeof(weft_join));
    graph->branches =
        weft_arena_zeroed(&graph->arena, graph->branch_count + 1u, sizeof(weft_branch));
    int made = graph->channels != NULL && graph->nodes != NULL && graph->joins != NULL &&
               graph->branches != NULL;
    return made ? WEFT_OK : WEFT_ERR_NO_MEMORY;
}

static weft_status check_rules(definer *d) {
    weft_graph_rules rules = {
        .edges = weft_document_get(d->root, "edges"),
        .joins = weft_document_get(d->root, "joins"),
        .branches = weft_document_get(d->root, "branches"),
        .nodes = weft_document_get(d->root, "nodes"),
        .before = weft_document_get(d->root, "interruptBefore"),
        .after = weft_document_get(d->root, "interruptAfter"),
    };
    uint8_t *reached = weft_arena_zeroed(&d->graph->arena, d->graph->node_count, 1);
    if (reached == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    WEFT_TRY(set_handlers(d, rules.nodes, reached));
    return weft_graph_validate(d->graph, &rules, reached, d->error);
}

static weft_status build_edges(definer *d) {
    WEFT_TRY(read_nodes(d, weft_document_get(d->root, "nodes")));
    WEFT_TRY(check_rules(d));
    WEFT_TRY(read_joins(d, weft_document_get(d->root, "joins")));
    WEFT_TRY(read_branches(d, weft_document_get(d->root, "branches")));
    WEFT_TRY(read_edges(d, weft_document_get(d->root, "edges")));
    return place_triggers(d->graph);
}

static weft_status build(definer *d) {
    weft_graph *graph = d->graph;
    WEFT_TRY(size_graph(d));
    WEFT_TRY(read_channels(d, weft_document_get(d->root, "channels")));
    WEFT_TRY(add_channel(d, lit("__pregel_tasks"), WEFT_CHANNEL_TASKS, graph->tasks_channel));
    if (graph->input.bytes != NULL) {
        WEFT_TRY(read_low_level(d, weft_document_get(d->root, "nodes")));
    } else {
        WEFT_TRY(build_edges(d));
    }
    WEFT_TRY(index_triggers(graph));
    WEFT_TRY(rank_nodes(graph));
    WEFT_TRY(set_outputs(d, weft_document_get(d->root, "output")));
    set_stops(d, weft_document_get(d->root, "interruptBefore"), 0);
    set_stops(d, weft_document_get(d->root, "interruptAfter"), 1);
    return WEFT_OK;
}

// Fills the words of an error in the definition's text: the malformed name as written, or a number,
// and the reason.
static weft_status refuse_text(weft_graph *graph, const uint8_t *text,
                               const weft_json_limits *limits, const weft_json_error *why,
                               weft_graph_error *error) {
    weft_buffer *word = &graph->refused;
    if (why->status == WEFT_ERR_BAD_STRING) {
        uint32_t end = why->offset + 1;
        while (text[end] != '"') {
            end += text[end] == '\\' ? 2 : 1;
        }
        weft_buffer_append(word, text + why->offset, end + 1 - why->offset);
    } else {
        weft_buffer_decimal(word, weft_json_error_number(limits, why));
    }
    *error = (weft_graph_error){{{word->bytes, word->length}, lit(why->reason)}, 2};
    return word->status == WEFT_OK ? why->status : word->status;
}

weft_status weft_graph_define(weft_memory *memory, const void *definition, size_t length,
                              weft_graph **graph, weft_graph_error *error) {
    memset(error, 0, sizeof(*error));
    weft_graph *made = weft_memory_zeroed(memory, 1, sizeof(*made));
    *graph = made;
    if (made == NULL) {
        return WEFT_ERR_NO_MEMORY;
    }
    made->memory = memory;
    made->refs = 1;
    weft_arena_init(&made->arena, memory);
    weft_buffer_init(&made->refused, memory);
    weft_map_init(&made->channel_names, memory, 0);
    weft_map_init(&made->node_names, memory, 0);
    weft_json_limits limits = weft_json_import_limits(0);
    weft_json_error why;
    weft_status status =
        weft_document_parse(memory, definition, length, &limits, &made->document, &why);
    if (status != WEFT_OK) {
        return status == WEFT_ERR_NO_MEMORY ? status
                                            : refuse_text(made, definition, &limits, &why, error);
    }
    definer d = {.graph = made, .error = error, .root = weft_document_root(made->document)};
    return build(&d);
}

void weft_graph_retain(weft_graph *graph) {
    graph->refs++;
}

void weft_graph_release(weft_graph *graph) {
    if (graph == NULL || --graph->refs > 0) {
        return;
    }
    weft_map_fini(&graph->channel_names);
    weft_map_fini(&graph->node_names);
    weft_arena_fini(&graph->arena);
    weft_buffer_fini(&graph->refused);
    weft_document_free(graph->document);
    weft_memory_release(graph->memory, graph, sizeof(*graph));
}
