/// The graph of a model, ready for a page.
struct GraphContent: Sendable {
  /// The picture that the studio has drawn.
  let svg: String?
  /// The reason why there is no graph; nil if there is one.
  let lack: String?
}
