namespace RustBridge.Internal;

/// <summary>
/// The methods by which the arguments and the result of a callback's function cross, because services carry no objects.
/// </summary>
/// <param name="Arguments">Returns the arguments of a call; null if the function has none.</param>
/// <param name="Result">Accepts the result of a call; null if the service's response is the result.</param>
internal sealed record Crossing(Method? Arguments, Method? Result);
