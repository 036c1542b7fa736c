import CoreData
import Foundation
import Testing

/// Key paths of thousands of keys are observed without recursion.
@Suite(.serialized) struct ChainObservingTests {
  private final class Observer: NSObject, NSKeyValueObserving {
    var count = 0

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      count += 1
    }
  }

  @Test func changesAlongALongPathAreTold() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let context = try Chain.context()
        try context.performAndWait {
          let steps = min(10_000, Chain.length - 1)
          let first = Chain.make(.next, context)
          let nodes = try context.all("Node").sorted {
            Int($0.value(forKey: "name") as? String ?? "") ?? 0 < Int($1.value(forKey: "name") as? String ?? "") ?? 0
          }
          let path = Array(repeating: "next", count: steps).joined(separator: ".") + ".name"
          let observer = Observer()
          first.addObserver(observer, forKeyPath: path, options: [.old, .new], context: nil)
          nodes[steps].setValue("told", forKey: "name")
          Chain.require(observer.count == 1, "the last key: \(observer.count)")
          // The rest of the path is on other objects from then on.
          let rest = nodes[2]
          nodes[1].setValue(nil, forKey: "next")
          Chain.require(observer.count == 2, "a key on the way: \(observer.count)")
          nodes[steps].setValue("not told", forKey: "name")
          Chain.require(observer.count == 2, "what is on the path no more: \(observer.count)")
          nodes[1].setValue(rest, forKey: "next")
          nodes[steps].setValue("told again", forKey: "name")
          Chain.require(observer.count == 4, "what is back: \(observer.count)")
          first.removeObserver(observer, forKeyPath: path)
          nodes[steps].setValue("no more", forKey: "name")
          Chain.require(observer.count == 4, "the observation is over: \(observer.count)")
          // One that goes with its object.
          first.addObserver(observer, forKeyPath: path, options: [], context: nil)
        }
        context.performAndWait { context.reset() }
      }
    }
  }
}
