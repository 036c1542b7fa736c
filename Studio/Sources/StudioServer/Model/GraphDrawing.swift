import Foundation
import Synchronization

/// Draws graphs, and keeps the latest ones, because users look at the same model repeatedly.
final class GraphDrawing: Sendable {
  private static let kept = 32

  private let layout: GraphLayout
  private let drawn = Mutex<[(sketch: ModelSketch, title: String, content: GraphContent)]>([])

  init(_ layout: GraphLayout) { self.layout = layout }

  func content(_ sketch: ModelSketch, title: String) async -> GraphContent {
    if sketch.boxes.isEmpty { return GraphContent(svg: nil, lack: "The model has no entities.") }
    if let known = drawn.withLock({ drawn in drawn.first { $0.sketch == sketch && $0.title == title }?.content }) {
      return known
    }
    return await withTaskExecutorPreference(StoreThreads.shared) { draw(sketch, title) }
  }

  private func draw(_ sketch: ModelSketch, _ title: String) -> GraphContent {
    do {
      let picture = GraphPicture(sketch: sketch, places: try layout.places(for: sketch))
      let svg = picture.svg(
        title: "Graph of \(title)",
        description: "Entities as boxes, relationships as lines. The list has the same in words.")
      let content = GraphContent(svg: svg, lack: nil)
      drawn.withLock { drawn in
        if drawn.count >= Self.kept { drawn.removeFirst() }
        drawn.append((sketch, title, content))
      }
      return content
    } catch {
      let reason = (error as? GraphLayout.Failure)?.text ?? error.localizedDescription
      return GraphContent(svg: nil, lack: "There is no graph. \(reason)")
    }
  }
}
