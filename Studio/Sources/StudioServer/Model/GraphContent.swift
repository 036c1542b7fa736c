/// The graph of a model, ready for a page.
struct GraphContent: Sendable {
  /// SVG that the studio has drawn.
  let svg: String?
  /// Why there is none.
  let lack: String?
}
