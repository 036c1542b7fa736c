/// What a store keeps open for a query generation. The store that has made it reads with it, and knows its class.
protocol GenerationReader: AnyObject, Sendable {}
