import Testing

@testable import OpenCoreData

/// A few actors that take steps, one at a time, over a state that they share. A step is what nothing can come in
/// between.
protocol InterleavedModel: Hashable {
  /// The actors that can take a step now. One that waits for a lock cannot.
  var ready: [Int] { get }
  /// What an actor does next, for a trace.
  func step(of actor: Int) -> String
  mutating func take(_ actor: Int)
  /// What must not be, in the state as it is.
  var problem: String? { get }
  /// What must not be when nobody can take a step any more.
  var problemAtEnd: String? { get }
}

/// What came of running a model in all interleavings, or in some.
struct Interleavings<Model: InterleavedModel> {
  /// The different states that were met.
  var states = 0
  /// The orders of steps from the beginning to an end.
  var orders = 0.0
  /// The first order of steps that led to a problem, and the problem.
  var failure: String?

  private var known: [Model: Double] = [:]
  private var trace: [String] = []

  /// Runs every interleaving. A state that was met before is not run again, only counted.
  static func all(of model: Model) -> Interleavings {
    var result = Interleavings()
    result.orders = result.run(model)
    result.states = result.known.count
    result.known = [:]
    return result
  }

  private mutating func run(_ model: Model) -> Double {
    if let known = known[model] { return known }
    if let problem = model.problem { return fail(problem) }
    let ready = model.ready
    if ready.isEmpty {
      known[model] = 1
      return model.problemAtEnd.map { fail($0) } ?? 1
    }
    // Steps that lead in a circle come back here; no order of steps is counted that does.
    known[model] = 0
    var orders = 0.0
    for actor in ready where failure == nil {
      var next = model
      trace.append(model.step(of: actor))
      next.take(actor)
      orders += run(next)
      trace.removeLast()
    }
    known[model] = orders
    return orders
  }

  private mutating func fail(_ problem: String) -> Double {
    if failure == nil { failure = (trace + [problem]).joined(separator: "\n") }
    return 1
  }

  /// Runs interleavings by chance.
  static func some(_ count: Int, of model: Model, using random: inout SeededGenerator) -> Interleavings {
    var result = Interleavings()
    for _ in 0..<count where result.failure == nil {
      var model = model
      result.trace = []
      while let actor = model.ready.randomElement(using: &random) {
        result.trace.append(model.step(of: actor))
        model.take(actor)
        result.states += 1
        if let problem = model.problem { _ = result.fail(problem) }
        if result.failure != nil { break }
      }
      if let problem = result.failure == nil ? model.problemAtEnd : nil { _ = result.fail(problem) }
      result.orders += 1
    }
    return result
  }
}
