import CocoaFoundation
import Foundation
import Testing

@Suite("Observations and their lifetimes")
struct KeyValueObservationTests {
  @Test("A closure is told typed values until the observation ends")
  func closures() {
    let person = Person()
    var told: [String] = []
    var observation: NSKeyValueObservation? = person.observe(\.first, options: [.old, .new]) { person, change in
      told.append("\(change.oldValue ?? "-") \(change.newValue ?? "-") \(person.first) \(change.isPrior)")
    }
    person.first = "Bob"
    #expect(told == ["Ann Bob Bob false"])
    observation?.invalidate()
    observation?.invalidate()
    person.first = "Cy"
    #expect(told.count == 1)
    var last: String?? = .none
    observation = person.observe(\.last, options: [.initial, .new]) { last = $1.newValue }
    #expect(last == .some("Lee"))
    person.setValue(nil, forKey: "last")
    #expect(last == .some(nil))
    observation = nil
    person.setValue("x", forKey: "last")
    #expect(last == .some(nil))
    var indexes: IndexSet?, tags: [String]?
    observation = person.observe(\.tags, options: .new) { (indexes, tags) = ($1.indexes, $1.newValue) }
    person.mutableArrayValue(forKey: "tags").add("t")
    #expect(indexes == [0] && tags == ["t"])
    var codes: [NSKeyValueChange: Set<Int>] = [:]
    observation = person.observe(\.codes, options: [.old, .new]) { codes[$1.kind] = $1.newValue ?? $1.oldValue }
    person.mutableSetValue(forKey: "codes").add(3)
    person.mutableSetValue(forKey: "codes").remove(3)
    #expect(codes == [.insertion: [3], .removal: [3]])
    var count = 0
    observation = person.observe(\.boss?.first) { _, _ in count += 1 }
    person.setValue(Person(), forKey: "boss")
    person.boss?.first = "x"
    #expect(count == 2)
  }

  @Test("Neither side keeps the other alive, and one that is gone does no harm")
  func lifetimes() {
    let person = Person()
    weak var goneRecorder: ChangeRecorder?
    do {
      let recorder = ChangeRecorder()
      goneRecorder = recorder
      person.addObserver(recorder, forKeyPath: "first", context: nil)
    }
    #expect(goneRecorder == nil)
    person.first = "x"
    #expect(person.observationInfo == nil)
    let recorder = ChangeRecorder()
    for number in 0..<1000 {
      let short = Person()
      // A new object may have the address of one that is gone.
      short.first = "\(number)"
      short.addObserver(recorder, forKeyPath: "first", context: nil)
    }
    let observation = Person().observe(\.first) { _, _ in Issue.record("It is gone.") }
    observation.invalidate()
    #expect(recorder.take() == [])
  }

  @Test("Setting observationInfo to nil ends all observations")
  func info() {
    let person = Person(), recorder = ChangeRecorder()
    #expect(person.observationInfo == nil)
    person.addObserver(recorder, forKeyPath: "first", context: nil)
    person.addObserver(recorder, forKeyPath: "boss.first", context: nil)
    #expect(person.observationInfo != nil)
    person.observationInfo = nil
    person.first = "x"
    #expect(recorder.take() == [])
  }

  @Test("Observers come and go, and objects change, on several threads")
  func threads() {
    let person = Person()
    nonisolated(unsafe) let shared = person
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let mine = Person(), recorder = ChangeRecorder()
      for number in 0..<300 {
        shared.addObserver(recorder, forKeyPath: "greeting", context: nil)
        mine.addObserver(recorder, forKeyPath: "boss.first", options: [.old, .new], context: nil)
        mine.setValue(Person(), forKey: "boss")
        mine.boss?.first = "\(thread) \(number)"
        shared.willChangeValue(forKey: "boss")
        shared.didChangeValue(forKey: "boss")
        mine.removeObserver(recorder, forKeyPath: "boss.first")
        shared.removeObserver(recorder, forKeyPath: "greeting")
      }
      #expect(recorder.changes.count >= 900)
    }
    #expect(person.observationInfo == nil)
  }

  @Test("Removing an observer that is none, and a notification that nobody handles, stop the program")
  func mistakes() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Person().removeObserver(ChangeRecorder(), forKeyPath: "first")
    }
    #expect(said(result, "Cannot remove an observer <ChangeRecorder 0x") && said(result, "NSRangeException"))
    #expect(said(result, "for the key path \"first\" from <Person 0x"))
    #expect(said(result, "because it is not registered as an observer."))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = Person(), observer = NSObject()
      person.addObserver(observer, forKeyPath: "first", options: .new, context: nil)
      person.first = "x"
    }
    #expect(said(result, "An -observeValueForKeyPath:ofObject:change:context: message was received but not handled."))
    #expect(said(result, "Key path: first"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      (NSArray() as NSObject).addObserver(ChangeRecorder(), forKeyPath: "count", context: nil)
    }
    #expect(said(result, "addObserver:forKeyPath:options:context:] is not supported."))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = Person()
      person.tags = ["a"]
      person.addObserver(ChangeRecorder(), forKeyPath: "tags.@count", context: nil)
    }
    #expect(said(result, "is not supported. Key path: @count"))
  }
}
