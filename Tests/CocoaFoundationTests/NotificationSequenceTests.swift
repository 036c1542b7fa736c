import CocoaFoundation
import Testing

/// What Foundation has on Apple's systems alone.
@Suite struct NotificationSequenceTests {
  private final class Poster: Sendable {}

  @Test func notificationsComeInOrder() async {
    let center = NotificationCenter()
    let name = Notification.Name("News")
    let poster = Poster()
    var iterator = center.notifications(named: name, object: poster).makeAsyncIterator()
    center.post(name: name, object: Poster())
    center.post(name: Notification.Name("Other"), object: poster)
    for number in 1...3 { center.post(name: name, object: poster, userInfo: ["number": number]) }
    for number in 1...3 {
      let notification = await iterator.next()
      #expect(notification?.userInfo?["number"] as? Int == number)
    }
  }

  @Test func cancellationEndsASequence() async {
    let center = NotificationCenter()
    let task = Task {
      var count = 0
      for await _ in center.notifications(named: Notification.Name("News")) { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test func autoreleasepoolsGiveValuesAndErrors() throws {
    struct Failure: Error {}
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
    autoreleasepool {}
  }
}
